// SPDX-License-Identifier: MIT
// Experiments that are known from elsewhere, done again: their runs, what must come out, and their figures.
#ifndef TALUS_CLI_REPRODUCE_H
#define TALUS_CLI_REPRODUCE_H

#include "csv_columns.h"
#include "figure.h"
#include "run.h"

enum { FINDINGS_MOST = 48, FIGURES_MOST = 8 };

typedef struct finding {
	char what[120];
	double value, low, high; // must lie between these; no limits: it is only reported
	bool known;              // that it does not: then it lies between these, or something has changed
	double known_low, known_high;
} finding;

typedef enum verdict { REPORTED, RIGHT, NOT_MET, WRONG } verdict;

typedef struct figure_name {
	char file[64], caption[200];
} figure_name;

typedef struct reproduction {
	char folder[TALUS_PATH_MAX]; // of this experiment
	bool quick, quiet, force;
	int threads; // 0: as many as there are
	int findings, figures;
	finding finding[FINDINGS_MOST];
	figure_name figure[FIGURES_MOST];
	char *tables; // Markdown, for the report; freed with it; NULL: none
} reproduction;

typedef struct experiment {
	const char *name, *meaning;
	int (*work)(reproduction *r); // an exit code, after a sentence if it is not EXIT_DONE
	const char *limits;           // where they come from
} experiment;

extern const experiment bath_experiment, bath_scan_experiment, bath_scheme_experiment, bath_stress_experiment,
	bath_normals_experiment, isostatic_experiment, spheres_experiment, rough_spheres_experiment,
	indeterminacy_experiment, plane_shear_experiment, sweeps_experiment, beds_experiment, scenes_experiment;

// ---------------------------------------------------------------- reproduce_report.c

void found_within(reproduction *r, double value, double expected, double tolerance, const char *what, ...)
	__attribute__((format(printf, 5, 6)));
void found_between(reproduction *r, double value, double low, double high, const char *what, ...)
	__attribute__((format(printf, 5, 6)));
void found(reproduction *r, double value, const char *what, ...) __attribute__((format(printf, 3, 4)));
// What is said elsewhere and is known not to come out here. Within its limits it is right after all; outside of them it is called not met
// while it lies in the range that is known, and wrong beyond.
void found_unmet(reproduction *r, double value, double low, double high, double known_low, double known_high, const char *what, ...)
	__attribute__((format(printf, 7, 8)));
verdict finding_verdict(const finding *f);
// Draws the figure into the experiment's folder and forgets it; returns an exit code.
int found_figure(reproduction *r, figure *f, const char *file, const char *caption);

void report_print(const experiment *e, const reproduction *r, const char *above);
bool report_write(const char *above, const experiment *const *e, const reproduction *r, int count, talus_error *error);

// ---------------------------------------------------------------- reproduce_runs.c

// Runs of one scene, and the table of their summaries.
typedef struct series {
	char folder[TALUS_PATH_MAX];
	csv_table *table;
} series;

typedef struct series_wish {
	const char *name;  // of its folder
	const char *scene; // its text
	const char *sets[12], *sweeps[4];
	int seeds;         // 0: one
} series_wish;

int series_run(series *s, const reproduction *r, const series_wish *wish); // an exit code
void series_free(series *s);
double series_at(const series *s, size_t row, const char *column); // NAN where there is none
double series_mean(const series *s, const char *column);
csv_table *series_log(const series *s, size_t row); // NULL if it cannot be read
// A number or a list of them in a summary, by its path with dots between keys; returns how many, at most `most`.
int series_list(const series *s, size_t row, const char *path, double *number, int most);
// The folder of one run.
bool series_folder(const series *s, size_t row, char folder[TALUS_PATH_MAX]);

// Mean of a column of a log over its last rows, from the share `from` of them on.
double log_mean(const csv_table *log, const char *column, double from);

#endif
