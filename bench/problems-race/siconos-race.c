// SPDX-License-Identifier: MIT
// Solves a contact problem of FCLIB's format with a solver of Siconos, from r = 0, and says how long it took
// and how wrong the answer is. Reading the file, making Siconos' matrix and judging are not in the time.
// usage: siconos-race FILE                           contacts; fails unless it is a problem for this race
//        siconos-race FILE SOLVED                    the error of the answer in the file SOLVED
//        siconos-race FILE SOLVER TOLERANCE SECONDS  a run
#include <CSparseMatrix.h>
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <fclib.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SOLVED, WRONG_USE = 2, NOT_FOR_US = 3, MANY = 1 << 30 };

// ---------------------------------------------------------------- the problem

typedef struct race_problem { // u = W r + q; W by rows
	int rows, contacts;
	const int *first, *column;
	const double *value;
	double *q, *mu;
} race_problem;

// Only local problems in three dimensions whose W is stored by rows, as all of the collection are.
static bool problem_read(race_problem *problem, const char *path)
{
	struct fclib_local *file = fclib_read_local(path);
	if (!file || file->spacedim != 3 || file->V || file->W->nz != -2)
		return false;
	const struct fclib_matrix *w = file->W;
	*problem = (race_problem){w->m, w->m/3, w->p, w->i, w->x, file->q, file->mu};
	return true;
}

static NumericsMatrix *matrix_sparse(const race_problem *problem)
{
	NumericsMatrix *m = NM_create(NM_SPARSE, problem->rows, problem->rows);
	NM_triplet_alloc(m, problem->first[problem->rows]);
	for (int row = 0; row < problem->rows; row++)
		for (int k = problem->first[row]; k < problem->first[row + 1]; k++)
			if (problem->value[k] != 0)
				NM_entry(m, row, problem->column[k], problem->value[k]);
	NM_csc(m);
	return m;
}

static NumericsMatrix *matrix_make(const race_problem *problem, NM_types storage)
{
	NumericsMatrix *sparse = matrix_sparse(problem);
	if (storage == NM_SPARSE)
		return sparse;
	NumericsMatrix *m = NM_create(storage, problem->rows, problem->rows);
	if (storage == NM_SPARSE_BLOCK)
		SBM_from_csparse(3, NM_csc(sparse), m->matrix1);
	else
		NM_to_dense(sparse, m);
	NM_reset_versions(m);
	return m;
}

// ---------------------------------------------------------------- how wrong an answer is

static void project(double mu, double p[3])
{
	double t = hypot(p[1], p[2]);
	if (t <= mu*p[0])
		return;
	double n = fmax(0, (p[0] + mu*t)/(1 + mu*mu)), scale = n > 0 ? mu*n/t : 0;
	p[0] = n;
	p[1] *= scale;
	p[2] *= scale;
}

static double length(int count, const double *x)
{
	double sum = 0;
	for (int i = 0; i < count; i++)
		sum += x[i]*x[i];
	return sqrt(sum);
}

// The largest of |q|, |r| and |u|, and the natural map over it: the definition of `talus solve`.
static double error_of(const race_problem *problem, const double *r, double *largest)
{
	double *u = malloc((size_t)problem->rows*sizeof *u), wrong = 0;
	for (int row = 0; row < problem->rows; row++) {
		u[row] = problem->q[row];
		for (int k = problem->first[row]; k < problem->first[row + 1]; k++)
			u[row] += problem->value[k]*r[problem->column[k]];
	}
	for (int i = 0; i < problem->rows; i += 3) {
		double mu = problem->mu[i/3], *v = u + i;
		double p[3] = {r[i] - v[0] - mu*hypot(v[1], v[2]), r[i + 1] - v[1], r[i + 2] - v[2]};
		project(mu, p);
		for (int k = 0; k < 3; k++)
			wrong += (r[i + k] - p[k])*(r[i + k] - p[k]);
	}
	*largest = fmax(length(problem->rows, problem->q), fmax(length(problem->rows, r), length(problem->rows, u)));
	// NaNs anywhere must not come out as a small number
	double error = isnan(length(problem->rows, u)) ? NAN : wrong == 0 ? 0 : sqrt(wrong)/ *largest;
	free(u);
	return error;
}

// ---------------------------------------------------------------- the solvers

typedef struct solver {
	const char *name;
	int id;
	NM_types storage; // which is quickest depends on the problem, so some are here twice or thrice
	int inner;        // solver inside, 0: Siconos' default
	int index, value; // one more setting, unless index is 0
	bool by_q;        // its own error is over |q|, not over the largest of |q|, |r|, |u|
} solver;

static const solver solvers[] = {
	{"nsgs", SICONOS_FRICTION_3D_NSGS, NM_SPARSE_BLOCK, 0, 0, 0, false},
	{"nsgs-cone", SICONOS_FRICTION_3D_NSGS, NM_SPARSE_BLOCK,
		SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration, 0, 0, false},
	{"nsgs-cheap", SICONOS_FRICTION_3D_NSGS, NM_SPARSE_BLOCK,
		SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone, 0, 0, false},
	{"eg", SICONOS_FRICTION_3D_EG, NM_SPARSE_BLOCK, 0, 0, 0, false},
	{"vi-eg", SICONOS_FRICTION_3D_VI_EG, NM_SPARSE_BLOCK, 0, 0, 0, true},
	{"admm", SICONOS_FRICTION_3D_ADMM, NM_SPARSE_BLOCK, 0, 0, 0, false},
	{"admm-dense", SICONOS_FRICTION_3D_ADMM, NM_DENSE, 0, 0, 0, false},
	{"admm-norm", SICONOS_FRICTION_3D_ADMM, NM_SPARSE_BLOCK, 0, SICONOS_FRICTION_3D_ADMM_IPARAM_INITIAL_RHO,
		SICONOS_FRICTION_3D_ADMM_INITIAL_RHO_NORM_INF, false},
	{"admm-balance", SICONOS_FRICTION_3D_ADMM, NM_SPARSE_BLOCK, 0, SICONOS_FRICTION_3D_ADMM_IPARAM_RHO_STRATEGY,
		SICONOS_FRICTION_3D_ADMM_RHO_STRATEGY_SCALED_RESIDUAL_BALANCING, false},
	{"newton", SICONOS_FRICTION_3D_NSN_AC, NM_SPARSE_BLOCK, 0, 0, 0, false},
	{"newton-sparse", SICONOS_FRICTION_3D_NSN_AC, NM_SPARSE, 0, 0, 0, false},
	{"newton-dense", SICONOS_FRICTION_3D_NSN_AC, NM_DENSE, 0, 0, 0, false},
	{"prox", SICONOS_FRICTION_3D_PROX, NM_SPARSE_BLOCK, 0, 0, 0, false},
	{"prox-sparse", SICONOS_FRICTION_3D_PROX, NM_SPARSE, 0, 0, 0, false},
	{"prox-dense", SICONOS_FRICTION_3D_PROX, NM_DENSE, 0, 0, 0, false},
	{"prox-nsgs", SICONOS_FRICTION_3D_PROX, NM_SPARSE_BLOCK, SICONOS_FRICTION_3D_NSGS, 0, 0, false},
};

enum { SOLVERS = sizeof solvers/sizeof *solvers };

// what a run came to
typedef struct result {
	double seconds, error, own, largest; // own: the error as Siconos has it; largest: of |q|, |r|, |u|
	int iterations;
} result;

// The clock of the thread, as in Talus: while a timer of setitimer is armed, the clock of the process lags by
// milliseconds. There is but one thread.
static double seconds_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9*(double)now.tv_nsec;
}

static SolverOptions *options_make(const solver *how, double tolerance)
{
	SolverOptions *options = solver_options_create(how->id);
	options->iparam[SICONOS_IPARAM_MAX_ITER] = MANY; // the clock ends it
	options->dparam[SICONOS_DPARAM_TOL] = tolerance;
	if (how->inner)
		solver_options_update_internal(options, 0, how->inner);
	if (how->index)
		options->iparam[how->index] = how->value;
	return options;
}

static result run_once(const race_problem *problem, const solver *how, double tolerance, double limit)
{
	size_t size = (size_t)problem->rows;
	double *r = calloc(size, sizeof *r), *u = calloc(size, sizeof *u), *q = malloc(size*sizeof *q);
	memcpy(q, problem->q, size*sizeof *q); // proximal solvers add to it and take it away again, with rounding
	FrictionContactProblem *theirs = frictionContactProblem_new_with_data(3, problem->contacts,
		matrix_make(problem, how->storage), q, problem->mu);
	SolverOptions *options = options_make(how, tolerance);
	struct itimerval timer = {.it_value = {(time_t)limit, (suseconds_t)(1e6*fmod(limit, 1))}};
	setitimer(ITIMER_PROF, &timer, NULL); // CPU time; it kills
	double start = seconds_now();
	fc3d_driver(theirs, r, u, options);
	result got = {.seconds = seconds_now() - start};
	setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
	got.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
	got.own = options->dparam[SICONOS_DPARAM_RESIDU];
	got.error = error_of(problem, r, &got.largest);
	free(r);
	free(u);
	free(q);
	return got;
}

static void child(const race_problem *problem, const solver *how, double tolerance, double seconds, int out)
{
	int nowhere = open("/dev/null", O_WRONLY);
	dup2(nowhere, STDOUT_FILENO); // it prints warnings there
	dup2(nowhere, STDERR_FILENO);
	result got = run_once(problem, how, tolerance, seconds);
	_exit(write(out, &got, sizeof got) == sizeof got ? 0 : 1);
}

// Every run has a process of its own: Siconos may loop for ever, call exit or crash, and nobody shall find
// things warm from a run before. Says what happened: NULL for an answer, right or wrong.
static const char *run_apart(const race_problem *problem, const solver *how, double tolerance, double seconds,
	result *got)
{
	int ends[2], status;
	if (pipe(ends) != 0)
		return "crash";
	pid_t pid = fork();
	if (pid == 0)
		child(problem, how, tolerance, seconds, ends[1]);
	close(ends[1]);
	bool whole = pid > 0 && read(ends[0], got, sizeof *got) == sizeof *got;
	close(ends[0]);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return "crash";
	if (whole)
		return NULL;
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF ? "late" : "crash";
}

// Who takes the error over |q| is asked for less where |r| or |u| is larger, so that it need not do more than
// the others: a rough run tells how much. Where |r| is huge, doing nothing may meet that: then asked plainly.
static const char *run(const race_problem *problem, const solver *how, double tolerance, double seconds,
	result *got)
{
	if (how->by_q) {
		const char *failed = run_apart(problem, how, 1e-3, seconds, got);
		double asked = failed ? 0 : 0.98*tolerance*got->largest/length(problem->rows, problem->q);
		if (!failed)
			failed = run_apart(problem, how, asked, seconds, got);
		if (failed || got->error <= tolerance)
			return failed;
	}
	return run_apart(problem, how, tolerance, seconds, got);
}

// ---------------------------------------------------------------- the command

static const solver *solver_find(const char *name)
{
	for (int i = 0; i < SOLVERS; i++)
		if (strcmp(solvers[i].name, name) == 0)
			return &solvers[i];
	return NULL;
}

static int usage(void)
{
	fprintf(stderr, "usage: siconos-race FILE [SOLVED | SOLVER TOLERANCE SECONDS]\nsolvers:");
	for (int i = 0; i < SOLVERS; i++)
		fprintf(stderr, " %s", solvers[i].name);
	fprintf(stderr, "\n");
	return WRONG_USE;
}

static int judge(const race_problem *problem, const char *path)
{
	double largest;
	struct fclib_solution *solution = fclib_read_solution(path);
	if (!solution || !solution->r)
		return NOT_FOR_US;
	printf("%.6e\n", error_of(problem, solution->r, &largest));
	return SOLVED;
}

int main(int count, char **word)
{
	race_problem problem;
	result got;
	const solver *how = count == 5 ? solver_find(word[2]) : NULL;
	if (count < 2 || count == 4 || count > 5 || (count == 5 && !how))
		return usage();
	if (!problem_read(&problem, word[1]))
		return NOT_FOR_US;
	if (count == 3)
		return judge(&problem, word[2]);
	if (count == 2) {
		printf("%d\n", problem.contacts);
		return SOLVED;
	}
	double tolerance = strtod(word[3], NULL);
	const char *failed = run(&problem, how, tolerance, strtod(word[4], NULL), &got);
	if (failed)
		printf("%s\n", failed);
	else
		printf("%s %.9f %d %.6e %.6e\n", got.error <= tolerance ? "solved" : "wrong", got.seconds, got.iterations,
			got.error, got.own);
	return SOLVED;
}
