// SPDX-License-Identifier: MIT
// The checkpoint: what is written comes back bit for bit and goes on as if nothing had happened, what is damaged is refused.
#include "run_folder.h"

#include "state/bodies.h"
#include "collide/collide.h"
#include "io/checkpoint_sections.h"
#include "method/contact_dynamics.h"

static void assert_same_state(const talus_world *a, const talus_world *b)
{
	const bodies *p = &a->state.bodies, *q = &b->state.bodies;
	assert_int_equal(p->count, q->count);
	assert_int_equal(p->next_id, q->next_id);
	size_t n = p->count;
	assert_true(same_bits(p->x, q->x, n*sizeof *p->x) && same_bits(p->v, q->v, n*sizeof *p->v));
	assert_true(same_bits(p->spin, q->spin, n*sizeof *p->spin) && same_bits(p->force, q->force, n*sizeof *p->force));
	assert_true(same_bits(p->q, q->q, n*sizeof *p->q) && same_bits(p->radius, q->radius, n*sizeof *p->radius));
	assert_true(same_bits(p->mass, q->mass, n*sizeof *p->mass));
	assert_true(same_bits(p->inertia, q->inertia, n*sizeof *p->inertia));
	assert_true(same_bits(p->id, q->id, n*sizeof *p->id) && same_bits(p->image, q->image, n*sizeof *p->image));
	assert_true(same_bits(p->material, q->material, n*sizeof *p->material) && same_bits(p->free, q->free, n));
	assert_true(same_bits(p->x_listed, q->x_listed, n*sizeof *p->x_listed));
	assert_int_equal(a->contacts.count, b->contacts.count);
	assert_int_equal(a->contacts.class_end[TALUS_COULOMB], b->contacts.class_end[TALUS_COULOMB]);
	assert_int_equal(a->contacts.class_end[TALUS_EXTENDED], b->contacts.class_end[TALUS_EXTENDED]);
	assert_true(same_bits(a->contacts.contact, b->contacts.contact, a->contacts.count*sizeof *a->contacts.contact));
	assert_true(same_bits(contact_dynamics_of(a)->rows.row, contact_dynamics_of(b)->rows.row, a->contacts.count*sizeof *contact_dynamics_of(a)->rows.row));
	assert_true(same_bits(a->contacts.p, b->contacts.p, a->contacts.count*sizeof *a->contacts.p));
	for (size_t i = 0; i < a->contacts.count - a->contacts.class_end[TALUS_COULOMB]; i++)
		assert_true(same_bits(&a->contacts.q[i], &b->contacts.q[i], sizeof(vec3)));
	for (int i = 0; i < a->state.walls.count; i++) {
		assert_true(same_bits(&a->state.walls.at[i].shift, &b->state.walls.at[i].shift, sizeof(vec3)));
		assert_true(same_bits(&a->state.walls.at[i].v, &b->state.walls.at[i].v, sizeof(vec3)));
		assert_true(same_bits(&a->state.walls.at[i].force, &b->state.walls.at[i].force, sizeof(vec3)));
	}
	assert_int_equal(a->pours.at[0].poured, b->pours.at[0].poured);
	assert_int_equal(a->pours.at[0].draws, b->pours.at[0].draws);
	assert_int_equal(a->state.step, b->state.step);
	assert_true(a->state.time == b->state.time && a->list.skin == b->list.skin && a->list.stale == b->list.stale);
	assert_true(same_bits(&a->energy, &b->energy, sizeof a->energy) && a->mean_acceleration == b->mean_acceleration);
	assert_int_equal(a->list.sorted_at, b->list.sorted_at);
	assert_int_equal(a->report.updates_all, b->report.updates_all);
	assert_int_equal(a->report.bonds, b->report.bonds);
	assert_int_equal(a->report.bonds_formed_all, b->report.bonds_formed_all);
	assert_int_equal(a->report.bounces_reduced, b->report.bounces_reduced);
	assert_true(talus_world_hash(a) == talus_world_hash(b));
}

// ---------------------------------------------------------------- checkpoint

static void goes_on(const char *folder, const talus_pair *law)
{
	talus_error error;
	double seconds = 0;
	talus_world *a = world_with_grains(law), *b = world_empty(law);
	steps(a, 37);
	assert_true(checkpoint_write(folder, a, 1.5, &error));
	assert_true(checkpoint_read(folder, b, &seconds, &error));
	assert_true(seconds == 1.5);
	assert_same_state(a, b);
	for (size_t i = 0; i < talus_world_contacts(a); i++) { // before it is stepped
		talus_contact_state s = talus_world_contact(a, i), t = talus_world_contact(b, i);
		assert_true(same_bits(&s.torque, &t.torque, sizeof s.torque) && s.bonded == t.bonded);
	}
	for (int i = 0; i < 60; i++) {
		steps(a, 1);
		steps(b, 1);
		assert_same_state(a, b);
	}
	talus_energy s = talus_world_energy(a), t = talus_world_energy(b);
	assert_true(same_bits(&s, &t, sizeof s));
	checkpoint_head head;
	assert_true(checkpoint_look(folder, &head, &error));
	assert_int_equal(head.step, 37);
	talus_world_destroy(a);
	talus_world_destroy(b);
}

// A world that is stopped, written, read into a fresh one and stepped on goes through the same states as one that is not.
static void test_checkpoint_goes_on(void **state)
{
	for (size_t i = 0; i < sizeof both_laws/sizeof *both_laws; i++)
		goes_on(*state, both_laws[i]);
}

// What is a sum over the grains was rounded in the order that they had then; they may have been sorted since.
static void test_checkpoint_keeps_sums(void **state)
{
	talus_error error;
	double seconds;
	talus_world *a = world_with_grains(&extended_law);
	for (size_t i = 0; i < a->state.bodies.count; i++)
		a->state.bodies.radius[i] *= 1 - 0.1*random_unit(11, i);
	for (int n = 0; n < 40; n++) {
		a->list.stale |= n%2 == 0; // a new list, so that they are sorted now and then
		a->list.sorted_at -= n%4 == 0 ? 16 : 0;
		steps(a, 1);
		talus_world *b = world_empty(&extended_law);
		assert_true(checkpoint_write(*state, a, 1, &error) && checkpoint_read(*state, b, &seconds, &error));
		assert_true(same_bits(&a->state.mean_radius, &b->state.mean_radius, sizeof a->state.mean_radius));
		assert_true(same_bits(&a->approach.margin, &b->approach.margin, sizeof a->approach.margin));
		talus_world_destroy(b);
	}
	talus_world_destroy(a);
}

static double any_number(uint64_t i)
{
	return ldexp(random_unit(7, i) - 0.5, (int)(random_unit(8, i)*200) - 100);
}

// Any numbers survive that could be some, not only those of sensible states.
static void test_checkpoint_any_bits(void **state)
{
	talus_error error;
	double seconds;
	uint64_t draw = 0;
	talus_world *a = world_with_grains(&extended_law), *b = world_empty(&extended_law);
	steps(a, 5);
	bodies *g = &a->state.bodies;
	for (size_t i = 0; i < g->count; i++) {
		double *columns[] = {&g->x[i].x, &g->v[i].y, &g->spin[i].z, &g->force[i].x, &g->q[i][3], &g->x_listed[i].y};
		double *sizes[] = {&g->radius[i], &g->mass[i], &g->inertia[i]};
		for (size_t k = 0; k < sizeof columns/sizeof columns[0]; k++)
			*columns[k] = any_number(draw++);
		for (size_t k = 0; k < sizeof sizes/sizeof sizes[0]; k++)
			*sizes[k] = fabs(any_number(draw++));
		g->image[i][1] = (int32_t)random_bits(9, i);
		g->free[i] = (uint8_t)(random_bits(10, i) & 15);
	}
	g->v[3].x = -0.0;
	g->v[4].x = 5e-324;
	for (size_t i = 0; i < a->contacts.count; i++) {
		a->contacts.p[i] = vec(any_number(draw), any_number(draw + 1), any_number(draw + 2));
		draw += 3;
		a->contacts.contact[i].flags = (uint32_t)random_bits(11, i);
	}
	assert_true(a->contacts.class_end[TALUS_COULOMB] < a->contacts.count);
	for (size_t i = 0; i < a->contacts.count - a->contacts.class_end[TALUS_COULOMB]; i++, draw += 3)
		a->contacts.q[i] = vec(any_number(draw), any_number(draw + 1), any_number(draw + 2));
	double *book = &a->energy.wall_work;
	for (size_t i = 0; i < sizeof a->energy/sizeof *book; i++)
		book[i] = any_number(draw++);
	a->report.bonds = random_bits(12, 0);
	a->report.bonds_formed_all = random_bits(12, 1);
	a->report.bounces_reduced = random_bits(12, 2);
	a->list.stale = true; // no list can be made of such places
	assert_true(checkpoint_write(*state, a, 0, &error));
	assert_true(checkpoint_read(*state, b, &seconds, &error));
	assert_same_state(a, b);
	talus_world_destroy(a);
	talus_world_destroy(b);
}

static bool readable(const char *folder)
{
	talus_error error = {.text = ""};
	double seconds;
	talus_world *b = world_empty(&extended_law);
	bool ok = checkpoint_read(folder, b, &seconds, &error);
	assert_true(ok || strlen(error.text) > 10);
	talus_world_destroy(b);
	return ok;
}

// A file cut anywhere is refused. A file with a wrong byte is refused, unless nobody uses that byte.
static void test_checkpoint_damaged(void **state)
{
	talus_error error;
	size_t size;
	talus_world *a = world_with_grains(&extended_law);
	steps(a, 20);
	assert_true(checkpoint_write(*state, a, 0, &error));
	uint64_t hash = talus_world_hash(a);
	talus_world_destroy(a);
	char *text = text_of(*state, "checkpoint.h5", &size);
	for (size_t cut = 0; cut < size; cut += 1 + size/40) {
		text_put(*state, "checkpoint.h5", text, cut);
		assert_false(readable(*state));
	}
	int refused = 0, tried = 0;
	for (size_t at = 3; at < size; at += 1 + size/150, tried++) {
		double seconds;
		talus_world *b = world_empty(&extended_law);
		text[at] ^= 0x10;
		text_put(*state, "checkpoint.h5", text, size);
		if (!checkpoint_read(*state, b, &seconds, &error))
			refused++;
		else
			assert_true(talus_world_hash(b) == hash);
		text[at] ^= 0x10;
		talus_world_destroy(b);
	}
	assert_true(refused > tried/2);
	text_put(*state, "checkpoint.h5", "step,time\n", 10);
	assert_false(readable(*state));
	free(text);
}

// ---------------------------------------------------------------- what does not belong

static void test_checkpoint_of_another_scene(void **state)
{
	talus_error error;
	double seconds;
	talus_world *a = world_with_grains(&plain_law), *b = world_empty(&plain_law);
	b->state.def.seed++;
	assert_true(checkpoint_write(*state, a, 0, &error));
	assert_false(checkpoint_read(*state, b, &seconds, &error));
	assert_non_null(strstr(error.text, "seed"));
	talus_world_destroy(a);
	talus_world_destroy(b);
}

// Laws as the first files knew them, and as they will be when two further ones have come.
typedef struct first_law {
	int a, b;
	double number[11];
} first_law;
typedef struct grown_law {
	first_law first;
	double later[2];
} grown_law;

static uint64_t hash_of(const grown_law law[3])
{
	uint64_t hash = 0;
	checkpoint_hash_pairs(&hash, law, 3, sizeof *law);
	return hash;
}

// What a law adds to talus_pair leaves no trace where it is 0: a checkpoint from before belongs to the scene still. What is not 0
// counts, with its place.
static void test_checkpoint_from_before_a_law(void **state)
{
	(void)state;
	first_law old[3] = {{.number = {0.3, 0.5}}, {.a = 1, .number = {0.4}}, {.a = 1, .b = 1, .number = {[10] = 0.1}}};
	grown_law grown[3] = {{.first = old[0]}, {.first = old[1]}, {.first = old[2]}};
	uint64_t then = 0, same = 0;
	hash_add(&then, old, sizeof old); // as it was written
	checkpoint_hash_pairs(&same, old, 3, sizeof *old);
	assert_true(then == same && then == hash_of(grown));
	grown[1].later[0] = -0.0;
	assert_true(then == hash_of(grown));
	uint64_t seen[7] = {then};
	for (int i = 0; i < 6; i++) {
		grown[i/2].later[i%2] = 0.7;
		seen[i + 1] = hash_of(grown);
		grown[i/2].later[i%2] = 0;
		for (int k = 0; k <= i; k++)
			assert_true(seen[k] != seen[i + 1]);
	}
	grown[2].first.number[10] = 0.2;
	assert_true(then != hash_of(grown));
}

static void format_set(const char *folder, const char *text)
{
	char path[TALUS_PATH_MAX];
	path_in(path, folder, "checkpoint.h5");
	hid_t file = hdf_file_open(path, H5F_ACC_RDWR);
	assert_true(file >= 0 && H5Adelete(file, "format") >= 0 && hdf_text_write(file, "format", text));
	checkpoint_close(folder, file);
}

// The checkpoint of an older version is not taken for a damaged one, and something else is not taken for a checkpoint.
static void test_checkpoint_of_another_version(void **state)
{
	talus_error error;
	double seconds;
	checkpoint_head head;
	talus_world *a = world_with_grains(&plain_law);
	assert_true(checkpoint_write(*state, a, 0, &error));
	format_set(*state, "talus checkpoint 1");
	assert_false(checkpoint_read(*state, a, &seconds, &error));
	assert_non_null(strstr(error.text, "another version of Talus wrote it (\"talus checkpoint 1\""));
	error.text[0] = 0;
	assert_false(checkpoint_look(*state, &head, &error));
	assert_non_null(strstr(error.text, "talus checkpoint 3"));
	format_set(*state, "some other file");
	assert_false(checkpoint_read(*state, a, &seconds, &error));
	assert_non_null(strstr(error.text, "not a file of Talus"));
	format_set(*state, "talus checkpoint 3");
	assert_true(checkpoint_read(*state, a, &seconds, &error));
	talus_world_destroy(a);
}

// Numbers of contacts that do not fit each other are refused before anybody counts on them.
static void test_checkpoint_kinds_of_contacts(void **state)
{
	talus_error error;
	talus_world *a = world_with_grains(&extended_law);
	steps(a, 5);
	contacts *c = &a->contacts;
	size_t plain = c->class_end[TALUS_COULOMB], round = c->class_end[TALUS_EXTENDED];
	const size_t wrong[][2] = {{round + 1, round}, {plain, c->count + 1}, {SIZE_MAX, SIZE_MAX}};
	for (size_t i = 0; i < 3; i++) {
		char path[TALUS_PATH_MAX];
		assert_true(checkpoint_write(*state, a, 0, &error));
		path_in(path, *state, "checkpoint.h5");
		hid_t file = hdf_file_open(path, H5F_ACC_RDWR);
		assert_true(H5Adelete(file, "contacts_plain") >= 0 && H5Adelete(file, "contacts_round") >= 0);
		assert_true(hdf_note_write(file, "contacts_plain", H5T_NATIVE_UINT64, 1, &wrong[i][0]));
		assert_true(hdf_note_write(file, "contacts_round", H5T_NATIVE_UINT64, 1, &wrong[i][1]));
		checkpoint_close(*state, file);
		assert_false(readable(*state));
	}
	talus_world_destroy(a);
}

// ---------------------------------------------------------------- states that cannot be

static void spoil(talus_world *world, int what)
{
	bodies *b = &world->state.bodies;
	contacts *c = &world->contacts;
	switch (what) {
	case 0: b->radius[3] = -0.5; break;
	case 1: b->mass[3] = 0; break;
	case 2: b->inertia[3] = NAN; break;
	case 3: b->x[3].y = INFINITY; break;
	case 4: b->v[3].z = NAN; break;
	case 5: b->id[3] = b->id[4]; break;
	case 6: b->id[3] = b->next_id; break;
	case 7: b->material[3] = 1; break;
	case 8: b->skin[3] = NAN; break;
	case 9: world->pours.at[0].next_radius = NAN; break;
	case 10: world->pours.at[0].poured = -1; break;
	case 11: world->pours.at[0].poured = 13; break;
	case 12: world->state.walls.at[1].shift.z = NAN; break;
	case 13: c->contact[2].b = 1000000; break;
	case 14: c->p[2].x = NAN; break;
	case 15: c->contact[2].wall = 2; break;
	case 16: c->contact[2].key ^= 1; break;
	case 17: c->wall_lines = SIZE_MAX; break;
	case 18: world->state.time = NAN; break;
	case 19: world->state.step = UINT64_MAX; break;
	case 20: world->state.cell.h[1][1] = 0; break;
	case 21: world->energy.friction = NAN; break;
	case 22: world->report.iterations = -3; break;
	case 23: world->state.walls.at[1].shift_listed.z -= 5; break;
	case 24: world->state.walls.at[0].angle_listed = NAN; break;
	case 25: world->state.mean_radius = -1; break;
	default: b->next_id = 0x80000000u - 5; break; // fewer ids than grains to come
	}
}

// A state that no run can be in is refused with a sentence, even if the file is whole.
static void test_checkpoint_impossible(void **state)
{
	for (int what = 0; what < 27; what++) {
		talus_error error;
		double seconds;
		talus_world *a = world_with_grains(&extended_law), *b = world_empty(&extended_law);
		steps(a, 20);
		assert_true(a->pours.at[0].poured < 7 && a->contacts.count > 3);
		spoil(a, what);
		assert_true(checkpoint_write(*state, a, 0, &error));
		assert_false(checkpoint_read(*state, b, &seconds, &error));
		assert_non_null(strstr(error.text, "damaged"));
		talus_world_destroy(a);
		talus_world_destroy(b);
	}
}

// The last ids that there are can still be given.
static void test_checkpoint_last_ids(void **state)
{
	talus_error error;
	double seconds;
	talus_world *a = world_with_grains(&plain_law), *b = world_empty(&plain_law);
	steps(a, 20);
	uint32_t left = (uint32_t)(a->pours.at[0].def.count - a->pours.at[0].poured);
	a->state.bodies.next_id = 0x80000000u - left;
	assert_true(checkpoint_write(*state, a, 0, &error) && checkpoint_read(*state, b, &seconds, &error));
	steps(b, 60);
	assert_int_equal(b->state.bodies.next_id, 0x80000000u);
	a->state.bodies.next_id++;
	assert_true(checkpoint_write(*state, a, 0, &error));
	assert_false(checkpoint_read(*state, b, &seconds, &error));
	assert_non_null(strstr(error.text, "it would need 2147483649 ids"));
	talus_world_destroy(a);
	talus_world_destroy(b);
}

int main(void)
{
	H5dont_atexit(); // HDF5 does not forget files that it found damaged, and complains about them on the way out
	const struct CMUnitTest tests[] = {
		IN_FOLDER(test_checkpoint_goes_on),
		IN_FOLDER(test_checkpoint_keeps_sums),
		IN_FOLDER(test_checkpoint_any_bits),
		IN_FOLDER(test_checkpoint_damaged),
		IN_FOLDER(test_checkpoint_of_another_scene),
		cmocka_unit_test(test_checkpoint_from_before_a_law),
		IN_FOLDER(test_checkpoint_of_another_version),
		IN_FOLDER(test_checkpoint_kinds_of_contacts),
		IN_FOLDER(test_checkpoint_impossible),
		IN_FOLDER(test_checkpoint_last_ids),
	};
	return cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
}
