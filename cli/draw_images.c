// SPDX-License-Identifier: MIT
// Walls of a periodic cell as they are to be drawn: where their images reach into it.
#include "draw_images.h"

#include "base/memory.h"
#include "state/cell.h"
#include "state/wall.h"

#include <string.h>

static cell cell_of(const frame *f)
{
	talus_cell_def def = {.origin = vec(f->origin[0], f->origin[1], f->origin[2]),
	                      .size = vec(f->cell[0][0], f->cell[1][1], f->cell[2][2])};
	memcpy(def.periodic, f->periodic, sizeof def.periodic);
	cell c;
	cell_init(&c, &def);
	return c;
}

static bool reaches_in(const wall *w, const cell *c, vec3 centre, vec3 image)
{
	for (int k = 0; k < 3; k++) {
		double off = wall_middle(w, k) + component(image, k) - component(centre, k);
		if (w->images >> k & 1 && fabs(off) >= 0.5*(wall_width(w, k) + cell_height(c, k)))
			return false;
	}
	return true;
}

static void put(frame *to, const frame_wall *from, vec3 image)
{
	frame_wall *w = &to->wall[to->walls++];
	*w = *from;
	w->def.point = add(w->def.point, image);
	w->def.to = add(w->def.to, image);
	w->def.hole_at = add(w->def.hole_at, image);
}

frame images_shown(const frame *f)
{
	enum { MOST = 8 };
	static const int32_t turns[3] = {0, 0, 0};
	frame shown = *f;
	cell c = cell_of(f);
	vec3 centre = c.origin;
	for (int k = 0; k < 3; k++)
		set_component(&centre, k, component(centre, k) + (c.periodic[k] ? 0.5*c.h[k][k] : 0));
	shown.wall = memory_grow(NULL, 0, (MOST*(size_t)f->walls + 1)*sizeof *shown.wall);
	shown.walls = 0;
	for (int i = 0; i < f->walls; i++) {
		wall w;
		unsigned image = 0;
		wall_init(&w, &f->wall[i].def);
		wall_find_images(&w, &c);
		do {
			vec3 to = wall_image(&w, &c, centre, turns, image);
			if (reaches_in(&w, &c, centre, to))
				put(&shown, &f->wall[i], to);
		} while (wall_next_image(&w, &image));
	}
	return shown;
}
