// SPDX-License-Identifier: MIT
// What a shape of walls is: a record in a file of its own, and a row in the table of shapes.h. Whoever deals with walls (narrow
// phase, images, scenes, files, advice, pictures) asks the record, and no one the kind. docs/adding-a-wall.md shows how to add one.
#ifndef TALUS_WALL_SHAPE_H
#define TALUS_WALL_SHAPE_H

#include "base/vec.h"

#include <talus/extend.h>

struct wall;

typedef struct touch {
	vec3 n;     // from the wall to the grain
	double gap; // negative: overlap
	int feature; // tells the places apart where one grain touches one wall
} touch;

enum { WALL_TOUCHES = 4 };

// What is wrong with a definition: a sentence, and the key that it is about.
typedef struct wall_fault {
	const char *key; // NULL: the wall as a whole
	char text[400];
} wall_fault;

// Where a grain is for which a wall leaves no room at all.
typedef struct wall_beyond {
	const char *where; // "behind the plane"; NULL: it has no such side
	const char *hint;  // what may have been meant
} wall_beyond;

typedef struct wall_half_space { // where dot(x - point, normal) >= 0
	vec3 point, normal;
} wall_half_space;

enum { WALL_ROUND = 96 }; // sides of what is round, in pictures

// What draws outlines: a shape tells it pieces of its surface, large enough to reach beyond the picture where it has no end.
typedef struct wall_pen {
	vec3 middle;     // of what is shown
	double diagonal; // its size
	vec3 period;     // edges of the cell along periodic directions, else 0
	void *page;
	// 3D. A flat face with grains on the side of its normal.
	void (*sheet)(void *page, vec3 normal, const vec3 corner[4]);
	// A flat face with grains on both sides. WALL_ROUND + 1 points of the rim of its hole; the face ends `far` times as far from
	// the hole's centre, but is not drawn beyond its corners.
	void (*plate)(void *page, vec3 normal, const vec3 corner[4], vec3 centre, const vec3 *rim, double far);
	// WALL_ROUND + 1 straight lines from a to b side by side, the last one the first, and the normals that point away from the axis.
	void (*strip)(void *page, bool inside, const vec3 *a, const vec3 *b, const vec3 *outward);
	// A surface of any form: rows*columns points, row by row, with the normals that point out of it. The last row and column
	// repeat the first ones where it is closed.
	void (*skin)(void *page, bool inside, int rows, int columns, const vec3 *at, const vec3 *outward);
	// 2D. A line with grains on one side, hatched on the other, to which `solid` points; and a thin one. With `cut` it ends where
	// other walls do.
	void (*edge)(void *page, vec3 a, vec3 b, vec3 solid);
	void (*bar)(void *page, vec3 a, vec3 b, bool cut);
} wall_pen;

// Functions that get a `wall` see it where it is now; those that get its definition, as it was defined, or in a picture as it is
// in a frame. What may be NULL says what that means.
typedef struct wall_shape {
	// ---- its definition
	const talus_field *fields; // its keys in a scene and the members of talus_wall_def that they fill
	int dimension;             // 2 or 3: it exists there only; 0: in both
	const char *instead;       // what to use in the other one
	void (*standard)(talus_wall_def *def); // its own numbers in talus_wall_def_default; NULL: it has none
	void (*settle)(talus_wall_def *def);   // puts right what may be given loosely; NULL: nothing. The axis is made a unit vector anyhow
	// What ranges of single numbers cannot say; NULL: nothing. False and a sentence if it cannot be.
	bool (*check)(const talus_wall_def *def, int dimension, const bool periodic[3], wall_fault *fault);

	// ---- where grains touch it
	// Places where a sphere at x of radius r comes closer to an image of the wall than `range`: how many, at most WALL_TOUCHES.
	int (*touch)(const struct wall *wall, vec3 image, int dimension, vec3 x, double r, double range, touch *list);
	// How much farther from it than from its tangent plane a centre at x gets by moving a way off; NULL: it is flat.
	double (*curvature)(const struct wall *wall, vec3 image, int dimension, vec3 x, vec3 n, vec3 way);
	bool (*thin)(const talus_wall_def *def); // touched from both sides, so that one might be passed; NULL: it is not

	// ---- motion: it moves as a rigid body, about its pivot
	vec3 (*pivot)(const talus_wall_def *def); // NULL: its point
	double (*arm)(const talus_wall_def *def); // of its farthest point that spinning takes to where it was not; NULL: it stays the same

	// ---- images in a periodic cell
	const char *part;                                  // what of it has them, in sentences
	bool (*endless)(const struct wall *wall, int k);   // along direction k it has none: it is the same everywhere; NULL: it ends
	bool (*encloses)(const talus_wall_def *def);       // a grain meets the nearest one only; NULL: it may meet several
	vec3 (*centre)(const struct wall *wall);           // of the part that has images; NULL: its pivot
	void (*span)(const struct wall *wall, int k, double *low, double *high); // from where to where along k, from the centre

	// ---- what can be said before a run
	bool flat;                                                   // a plane with its axis for a normal
	bool (*catches)(const talus_wall_def *def, vec3 down);       // may grains that fall come to lie on it? NULL: yes
	double (*lowest)(const talus_wall_def *def, vec3 down);      // how deep they may then lie; NULL or -INFINITY: it is no floor
	double (*girth)(const talus_wall_def *def);                  // its largest distance from its axis; NULL: without end
	wall_beyond (*beyond)(const talus_wall_def *def);            // NULL: there is room on all sides

	// ---- pictures
	void (*bounds)(const talus_wall_def *def, talus_box *box, double extent); // makes the box that is shown hold what is worth it
	double (*ground)(const talus_wall_def *def); // radius about its point of what must be seen of the floor; NULL: nothing
	int (*holds)(const talus_wall_def *def, wall_half_space list[WALL_ROUND]); // where grains are, if that is convex; NULL: anywhere
	void (*outline)(const talus_wall_def *def, int dimension, const wall_pen *pen);
} wall_shape;

bool wall_fault_set(wall_fault *fault, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4))); // false

#endif
