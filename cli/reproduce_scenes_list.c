// SPDX-License-Identifier: MIT
// The scenes that solvers are compared in, what is measured in each, and the settings.
#include "reproduce_scenes.h"

#include "cli.h"

#include <math.h>

// Those of the folder reproduce/ that nobody else needs.
extern const char reproduce_silo_scene[], reproduce_janssen_scene[], reproduce_drum_scene[], reproduce_chute_scene[],
	reproduce_hopper_scene[], reproduce_vibrated_scene[], reproduce_biaxial_scene[];

const scene_setting scene_settings[SETTINGS] = {
	{.name = "reference", .solver = "solver={auto: {error: 1e-3}}", .quick = true},
	{.name = "auto", .solver = "solver=auto", .quick = true},
	{.name = "5", .solver = "solver={nsgs: {stop: {iterations: 5}}}", .sweeps = 5},
	{.name = "10", .solver = "solver={nsgs: {stop: {iterations: 10}}}", .sweeps = 10, .quick = true},
	{.name = "20", .solver = "solver={nsgs: {stop: {iterations: 20}}}", .sweeps = 20},
	{.name = "50", .solver = "solver={nsgs: {stop: {iterations: 50}}}", .sweeps = 50, .quick = true},
	{.name = "100", .solver = "solver={nsgs: {stop: {iterations: 100}}}", .sweeps = 100, .quick = true},
	{.name = "200", .solver = "solver={nsgs: {stop: {iterations: 200}}}", .sweeps = 200, .scene = "silo"},
};

static const scene_start column = {.name = "column", .text = reproduce_janssen_scene,
	.sets = {"run.until.time=0.01"}, .quick = {"grains.0.fill.count=150", "grains.0.fill.in.box=[[0, 0], [10, 24]]"}};
static const scene_start flow = {.name = "flow", .text = reproduce_chute_scene, .quick = {"run.until.time=3"},
	.entry = 1, .first = 100, .moving = true};
// Without friction it gets as dense as it can.
static const scene_start smooth = {.name = "smooth", .text = reproduce_bath_scene, .cell = true,
	.sets = {"contacts.0.friction=0", "grains.0.fill={count: 400, radius: {uniform: [0.8, 1.2]}, in: {box: [[0, 0], [56, 56]]}}",
	         "cell.size=[56, 56]", "run.until={time: 100}", "solver={auto: {error: 1e-3}}"},
	.quick = {"grains.0.fill={count: 100, radius: {uniform: [0.8, 1.2]}, in: {box: [[0, 0], [28, 28]]}}", "cell.size=[28, 28]"}};

// Mass times gravity along the chute: 1000 spheres of diameters 0.9 to 1.1.
#define CHUTE_PULL (1000*M_PI/6*1.01*0.406736643)

const dense_scene dense_scenes[SCENES] = {
	{"silo", reproduce_silo_scene, {NULL}, 12, 30, 2, 4, 50, 1.5, NULL,
		{{.name = "rate", .kind = OBSERVE_SLOPE, .term = {{1, "removed"}}},
		 {.name = "load of the bottom", .term = {{-1, "wall.bottom.fy"}}},
		 {.name = "push on a side", .term = {{0.5, "wall.right.fx"}, {-0.5, "wall.left.fx"}}},
		 {.name = "load of the sides", .term = {{-1, "wall.left.fy"}, {-1, "wall.right.fy"}}}}},
	{"janssen", reproduce_janssen_scene, {NULL}, 10, 60, 3, 10, 100, 1.5, &column,
		{{.name = "load of the floor", .term = {{-1, "wall.floor.fy"}}},
		 {.name = "push on a side", .term = {{0.5, "wall.right.fx"}, {-0.5, "wall.left.fx"}}},
		 {.name = "load of the sides", .term = {{-1, "wall.left.fy"}, {-1, "wall.right.fy"}}}}},
	{"drum", reproduce_drum_scene, {NULL}, 25, 80, 5, 8, 0, 1.2, NULL,
		{{.name = "kinetic energy", .term = {{1, "kinetic_energy"}}},
		 {.name = "potential energy", .term = {{1, "potential_energy"}}},
		 {.name = "torque", .term = {{1, "wall.drum.ty"}}},
		 {.name = "angle", .term = {{1, "wall.drum.ty"}}, .angle = "potential_energy"}}},
	{"chute", reproduce_chute_scene, {NULL}, 4, 24, 0.5, 2, 0, 1.2, &flow,
		{{.name = "speed", .kind = OBSERVE_SLOPE, .term = {{-1/CHUTE_PULL, "potential_energy"}}},
		 {.name = "kinetic energy", .term = {{1, "kinetic_energy"}}},
		 {.name = "temperature", .term = {{1, "temperature"}}},
		 {.name = "volume fraction", .term = {{1, "volume_fraction"}}}}},
	{"hopper", reproduce_hopper_scene, {NULL}, 8, 22, 3, 5, 0, 1.2, NULL,
		{{.name = "rate", .kind = OBSERVE_SLOPE, .term = {{1, "removed"}}},
		 {.name = "load of the silo", .term = {{-1, "wall.silo.fz"}}},
		 {.name = "load of the funnel", .term = {{-1, "wall.funnel.fz"}}}}},
	{"vibrated bed", reproduce_vibrated_scene, {NULL}, 13.04, 60, 8.7, 17.4, 0, 1.2, NULL,
		{{.name = "potential energy", .term = {{1, "potential_energy"}}},
		 {.name = "kinetic energy", .term = {{1, "kinetic_energy"}}},
		 {.name = "load of the floor", .term = {{-1, "wall.floor.fy"}}}}},
	{"biaxial", reproduce_biaxial_scene, {NULL}, 20, 30, 2, 4, 0, 1.2, &smooth,
		{{.name = "stress ratio", .term = {{1, "stress_yy"}}, .over = "stress_xx", .trend = true},
		 {.name = "volume fraction", .term = {{1, "volume_fraction"}}, .trend = true},
		 {.name = "contacts", .term = {{1, "coordination"}}},
		 {.name = "stress xx", .term = {{1, "stress_xx"}}},
		 {.name = "stress ratio at 2 to 12", .term = {{1, "stress_yy"}}, .over = "stress_xx", .trend = true, .from = 2, .to = 12}}},
	{"shear cell", reproduce_biaxial_scene, {"cell.drive={xy: {rate: 0.02}, yy: {stress: 1}}"}, 30, 60, 2, 4, 0, 1.2, &smooth,
		{{.name = "friction", .term = {{-0.5, "stress_xy"}, {-0.5, "stress_yx"}}, .over = "stress_yy"},
		 {.name = "stress yy", .term = {{1, "stress_yy"}}},
		 {.name = "volume fraction", .term = {{1, "volume_fraction"}}},
		 {.name = "contacts", .term = {{1, "coordination"}}}}},
	{"packing", reproduce_bath_scene,
		{"grains.0.fill={count: 400, radius: {uniform: [0.8, 1.2]}, in: {box: [[0, 0], [72, 72]]}}", "cell.size=[72, 72]",
		 "run={until: {time: 120}, max_overlap: 0}", "output={frames: {every: 0}, log: {every: 0.5}, checkpoint: {every: 0}}"},
		100, 120, 0, 0, 0, 1.2, NULL,
		{{.name = "volume fraction", .kind = OBSERVE_LAST, .term = {{1, "volume_fraction"}}},
		 {.name = "contacts without rattlers", .kind = OBSERVE_LAST, .term = {{1, "coordination_network"}}}}},
};
