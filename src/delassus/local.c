// SPDX-License-Identifier: MIT
// One contact alone, u = W r + b, of any size: without rolling as everywhere (law/one_contact.c), with it by iteration.
#include "delassus/delassus.h"

#include <string.h>

void delassus_contact_init(delassus_contact *contact, int size, double mu, double mu_roll, const double *w)
{
	memset(contact, 0, sizeof *contact);
	contact->mu = mu;
	contact->rolls = size == 5;
	if (contact->rolls)
		rolling_contact_init(&contact->rolling, mu, mu_roll, w);
	else
		one_contact_init(&contact->one, size, w);
}

void delassus_contact_solve(const delassus_contact *c, const double *b, double *r)
{
	if (c->rolls)
		rolling_contact_solve(&c->rolling, b, r);
	else
		one_contact_solve(&c->one, c->mu, b, r);
}
