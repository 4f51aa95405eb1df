// SPDX-License-Identifier: MIT
// Vectors of three, as values.
#ifndef TALUS_BASE_VEC_H
#define TALUS_BASE_VEC_H

#include <math.h>
#include <talus/talus.h>

typedef talus_vec3 vec3;

static inline vec3 vec(double x, double y, double z) { return (vec3){x, y, z}; }
static inline vec3 add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec3 sub(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec3 mul(double s, vec3 a) { return (vec3){s*a.x, s*a.y, s*a.z}; }
static inline vec3 mul_add(vec3 a, double s, vec3 b) { return (vec3){a.x + s*b.x, a.y + s*b.y, a.z + s*b.z}; } // a + s b
static inline vec3 neg(vec3 a) { return (vec3){-a.x, -a.y, -a.z}; }
static inline double dot(vec3 a, vec3 b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
static inline vec3 cross(vec3 a, vec3 b)
{
	return (vec3){a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x};
}
static inline double norm(vec3 a) { return sqrt(dot(a, a)); }
static inline vec3 unit(vec3 a) { return mul(1/norm(a), a); }
static inline double component(vec3 a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }
static inline void set_component(vec3 *a, int k, double value) { *(k == 0 ? &a->x : k == 1 ? &a->y : &a->z) = value; }
static inline bool finite3(vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

// Some unit vector at right angles to the unit vector n.
static inline vec3 any_tangent(vec3 n)
{
	return unit(fabs(n.x) < 0.6 ? vec(0, n.z, -n.y) : vec(-n.z, 0, n.x));
}

// Turn a by the angle about the unit axis (Rodrigues).
static inline vec3 turn(vec3 a, vec3 axis, double angle)
{
	double c = cos(angle), s = sin(angle);
	return add(add(mul(c, a), mul(s, cross(axis, a))), mul((1 - c)*dot(axis, a), axis));
}

#endif
