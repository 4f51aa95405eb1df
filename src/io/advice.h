// SPDX-License-Identifier: MIT
// Advice about a scene before it runs: is the step short enough, are there enough iterations, are masses too different,
// do the laws between materials do what they seem to, is a cell driven too hard, will the run end.
#ifndef TALUS_IO_ADVICE_H
#define TALUS_IO_ADVICE_H

#include "io/scene.h"

// A periodic cell that deforms: a bath, or stresses and rates.
typedef struct advice_cell {
	double outside;   // the largest stress that it follows; 0: none
	double tension;   // the largest normal stress that pulls at it; 0: none
	double inertia;
	double rate;      // the largest that is given
	double closing;   // logarithm of how many times its edge will shrink until grains fill it, at least 0
	double narrowest; // of its widths, once grains fill it; infinite if it does not keep its shape
	double at_end;    // the narrowest that a negative rate makes by the end of the run; infinite if there is none
	double least;     // width that its grains need
	bool until_rest;  // alone, or whichever comes first
} advice_cell;

// What the judgement rests on.
typedef struct advice_facts {
	int dimension;
	double grains;          // all that are there at the start and those that are poured
	double smallest_radius; // 0: there are none
	double mean_diameter;
	double speed;           // the largest to be expected: of grains, of walls, after a fall
	double fall;            // height of free fall that is contained in it; 0 if it does not set the speed
	bool thrown;            // it is mostly the `velocity` of a pour
	const char *pusher;     // the piston whose force and weight set it, "" if the `force` of a grain does; NULL: neither
	double piston_stress;   // of the piston that presses hardest; 0: there is none
	double extent;          // of the grains along gravity, when they lie; without gravity the largest; that of a deforming cell is its
	                        // edge when they fill it
	double gravity;
	double density;         // of the grains that are there at the start
	double mean_mass;       // of the grains that are there at the start
	double lightest_piston; // mass; infinite if there is none
	double heaviest_piston; // 0 if there is none
	double lightest_grain, heaviest_grain; // masses of those that move
	double all_mass;        // of all grains, poured ones too
	double pour_share;      // of the region of a pour that its grains would fill if all came in time
	double pour_limit;      // share of it in which random places are found without delay
	double pour_rate;       // with which that pour, the most crowded one, would keep to it; 0: grains do not leave
	double end_time;        // 0: none
	bool rest_alone;        // nothing but rest ends the run
	bool uncaught;          // grains fall, and nothing is below
	bool driven;            // a grain is, in a scene that waits for rest
	double outside_domain;  // grains that start there; poured ones if all of their region is outside
	const char *restless;   // a wall that never rests, in a scene that waits for rest
	double step;
	int iterations;         // the most that one step takes
	bool careful;           // sweeps go on until it is right: `auto`
	bool capped;            // iterations are a cap, not what is always done
	bool momentum;          // sweeps have it
	double jacobi;          // share of an update that is applied, if all contacts are updated at once; 0: they are not
	double q;               // how far news travels in one sweep, squared, in contacts
	advice_cell cell;
	int pairs;
	const talus_pair *pair;         // these two belong to the scene
	const talus_material *material;
} advice_facts;

typedef struct advice {
	const char *code;
	char message[500];
} advice;

enum { ADVICE_MAX = 25 };

// advice_measure.c
advice_facts advice_measure(const scene *scene, const talus_world *world);
// advice_fate.c
void advice_measure_fate(const scene *scene, const talus_world *world, advice_facts *facts); // a part of that
// advice.c
int advice_judge(const advice_facts *facts, advice list[ADVICE_MAX]); // returns how many
// The part of it that a run warns of as well. It rests on the scene alone, so that a resumed run says the same.
int advice_warnings(const scene *scene, advice list[ADVICE_MAX]);

#endif
