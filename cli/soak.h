// SPDX-License-Identifier: MIT
// talus soak: random valid scenes, each through all ways of computing it, looked at from outside in every step.
#ifndef TALUS_CLI_SOAK_H
#define TALUS_CLI_SOAK_H

#include "world.h"

#include <stdio.h>

// ---------------------------------------------------------------- soak_report.c: what is found

typedef enum soak_kind {
	SOAK_REFUSED,    // the scene was not accepted; counted apart
	SOAK_ROUND_TRIP, // written anew, the scene is another one
	SOAK_FINITE,     // a number that is none
	SOAK_CONTACT,    // normal or gap of a contact are not those of its two bodies
	SOAK_MISSED,     // two overlap after a step, and no contact has seen it coming
	SOAK_WALL,       // a grain is deeper in a wall than its contacts with it tell
	SOAK_TUNNEL,     // a grain has changed the side of a thin wall
	SOAK_HIDDEN,     // an overlap that the report of the step does not have
	SOAK_LOOSE,      // a step that claims to be right to a share has added more overlap
	SOAK_ENERGY,     // the books do not close
	SOAK_MOMENTUM,   // a body's velocity has changed by another amount than the forces on it tell
	SOAK_LAW,        // a force outside of the limits of its law
	SOAK_BITS,       // another way of computing it gives another result
	SOAK_RESUME,     // a checkpoint could not be written or read
	SOAK_CRASH,
	SOAK_HANG,
	SOAK_KINDS,
} soak_kind;

extern const char *const soak_kind_names[SOAK_KINDS];
int soak_kind_of(const char *name, size_t length); // -1: none

// Findings of a scene go out as lines "!KIND sentence"; of each kind only the first few.
typedef struct soak_report {
	FILE *out;
	const char *variant; // where they are found
	int count[SOAK_KINDS];
} soak_report;

void soak_found(soak_report *report, soak_kind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

void *soak_room(void *old, size_t count, size_t size);

// ---------------------------------------------------------------- soak_scene.c: scenes from numbers

typedef struct soak_scene {
	char *yaml; // owned
	char *csv;  // of its grains.csv; "": it has none; owned
	int steps;
	bool blocks; // small as it is, it is to be solved block by block in space
	uint64_t draw; // for what is not in the text
} soak_scene;

soak_scene soak_scene_make(uint64_t seed, uint64_t number); // a function of the two and of nothing else
void soak_scene_free(soak_scene *scene);
bool soak_scene_save(const soak_scene *scene, const char *path, const char *csv_path, const char *comment);

// ---------------------------------------------------------------- soak_check.c, soak_pairs.c, soak_walls.c: a step seen from outside

typedef struct soak_overlap { // of two grains at the end of a step
	uint32_t a, b; // ids
	double depth;
} soak_overlap;

typedef struct soak_watch {
	soak_report *report;
	// before the step, by id
	size_t ids;
	bool *there;
	vec3 *x, *v, *spin;
	int walls;
	wall *wall;
	double balance; // of the books
	double fastest; // speed of a surface
	uint64_t capped, floored, unfinished, paradoxes;
	size_t overlaps, overlap_capacity;
	soak_overlap *overlap; // what the next report must have
	// scratch, by id: impulse and torque of all contacts on a grain, and how large the parts were
	vec3 *push, *twist;
	double *pushed;
	size_t slots;
	uint64_t *slot; // pairs of grains with a contact
} soak_watch;

void soak_watch_before(soak_watch *watch, const talus_world *world);
void soak_watch_after(soak_watch *watch, const talus_world *world); // finds what is wrong with the step in between
void soak_watch_free(soak_watch *watch);

// Distance of a point from the surface of a wall, worked out apart from src/state/wall.c; negative beyond one with a single side.
double soak_wall_distance(const wall *wall, int dimension, vec3 x);
// The side of a thin wall: 1 or -1 beside it, 0 where there is none.
int soak_wall_side(const wall *wall, int dimension, vec3 x);
bool soak_is_image(const cell *cell, int image); // only through periodic directions
void soak_check_walls(soak_watch *watch, const talus_world *world);
void soak_check_grains(soak_watch *watch, const talus_world *world);

// Was it there before the step? Those who come in it have no past to compare with.
static inline bool soak_known(const soak_watch *w, uint32_t id)
{
	return id < w->ids && w->there[id];
}

static inline vec3 soak_masked(vec3 a, unsigned free) // only what is free
{
	return vec(free & TALUS_FREE_X ? a.x : 0, free & TALUS_FREE_Y ? a.y : 0, free & TALUS_FREE_Z ? a.z : 0);
}

// ---------------------------------------------------------------- soak_variants.c, soak_child.c, soak.c

typedef struct soak_trace { // what came of a run, step by step; 0: at the start
	int steps;
	uint64_t *state;  // hash of the state
	uint64_t *detail; // and of all that was said about it
} soak_trace;

bool soak_compare(soak_report *report, const soak_trace *first, const soak_trace *other); // do they agree?

// Runs the scene in `folder` in all ways. The first line says what it was: "accepted VARIANTS" or "refused sentence".
void soak_variants(const soak_scene *scene, const char *folder, soak_report *report);

typedef struct soak_result { // of a scene
	bool accepted;
	int variants;
	int count[SOAK_KINDS];
	char *text; // findings, a line each; owned
} soak_result;

// In a process of its own, with limits: a crash or a hang is a finding.
soak_result soak_child(const soak_scene *scene, const char *folder, double seconds);
// The same with what the child does given, for tests.
soak_result soak_child_with(void (*work)(const soak_scene *, const char *, soak_report *), const soak_scene *scene,
                            const char *folder, double seconds);

#endif
