// SPDX-License-Identifier: MIT
// Periodic images of walls. A grain meets the images around it: along each direction the nearest, and the one on its other
// side. They are told apart by being an even or an odd number of cells away from the wall, as seen from where the grain
// would be without wrapping: so a contact keeps its image when the grain or the wall leaves the cell.
#include "state/cell.h"
#include "state/wall.h"

void wall_find_images(wall *w, const cell *c)
{
	unsigned found = 0;
	for (int k = 0; k < 3; k++)
		if (c->periodic[k] && !(w->shape->endless && w->shape->endless(w, k)))
			found |= 1u << k;
	bool encloses = w->shape->encloses && w->shape->encloses(&w->def);
	w->images = encloses ? 0 : found;
	w->nearest = encloses ? found : 0;
}

// ---------------------------------------------------------------- where it is, how wide

double wall_middle(const wall *w, int k)
{
	double low, high;
	w->shape->span(w, k, &low, &high);
	return component(w->shape->centre ? w->shape->centre(w) : wall_pivot(w), k) + 0.5*(low + high);
}

double wall_width(const wall *w, int k)
{
	double low, high;
	w->shape->span(w, k, &low, &high);
	return high - low;
}

int wall_too_wide(const wall *w, const cell *c, double diameter)
{
	double between = w->nearest ? 0 : diameter;
	for (int k = 0; k < 3; k++)
		if ((w->images | w->nearest) >> k & 1 && !(wall_width(w, k) + between < cell_height(c, k)))
			return k;
	return -1;
}

// ---------------------------------------------------------------- which one

vec3 wall_image(const wall *w, const cell *c, vec3 x, const int32_t turns[3], unsigned image)
{
	vec3 whole = {0, 0, 0}, away;
	if (!(w->images | w->nearest))
		return whole;
	for (int k = 0; k < 3; k++)
		set_component(&away, k, component(x, k) - wall_middle(w, k));
	vec3 f = cell_apply(c->inverse, away);
	for (int k = 0; k < 3; k++) {
		double odd = image >> k & 1, to = component(f, k) + turns[k];
		if (w->images >> k & 1)
			set_component(&whole, k, odd + 2*floor(0.5*(to - odd) + 0.5) - turns[k]);
		else if (w->nearest >> k & 1)
			set_component(&whole, k, floor(component(f, k) + 0.5));
	}
	return cell_apply(c->h, whole);
}

bool wall_next_image(const wall *w, unsigned *image)
{
	*image = (*image - w->images) & w->images;
	return *image != 0;
}

vec3 wall_arm(const wall *w, const cell *c, vec3 image, vec3 at)
{
	vec3 arm = sub(at, add(wall_pivot(w), image));
	if (!cell_any(c))
		return arm;
	vec3 nearest = cell_nearest(c, arm);
	for (int k = 0; k < 3; k++)
		if (c->periodic[k] && !((w->images | w->nearest) >> k & 1))
			set_component(&arm, k, component(nearest, k));
	return arm;
}

bool wall_overlaps(const wall *w, const cell *c, int dimension, vec3 x, double r, double range)
{
	static const int32_t turns[3] = {0, 0, 0};
	touch touches[WALL_TOUCHES];
	unsigned image = 0;
	do
		if (wall_touch(w, wall_image(w, c, x, turns, image), dimension, x, r, range, touches))
			return true;
	while (wall_next_image(w, &image));
	return false;
}
