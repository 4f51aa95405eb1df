// SPDX-License-Identifier: MIT
// Turns the eye and fits what it sees into the page.
#include "draw_camera.h"

camera camera_turn(int dimension, double azimuth, double elevation)
{
	camera c = {.scale = 1};
	if (dimension == 2) {
		c.right = vec(1, 0, 0);
		c.up = vec(0, 1, 0);
		c.toward = vec(0, 0, 1);
		return c;
	}
	double a = azimuth*M_PI/180, e = elevation*M_PI/180;
	c.right = vec(cos(a), sin(a), 0);
	c.toward = vec(sin(a)*cos(e), -cos(a)*cos(e), sin(e));
	c.up = cross(c.toward, c.right);
	return c;
}

bounds bounds_empty(void)
{
	return (bounds){INFINITY, -INFINITY, INFINITY, -INFINITY};
}

void bounds_add(bounds *b, const camera *c, vec3 at, double radius)
{
	double u = dot(c->right, at), v = dot(c->up, at);
	b->left = fmin(b->left, u - radius);
	b->right = fmax(b->right, u + radius);
	b->bottom = fmin(b->bottom, v - radius);
	b->top = fmax(b->top, v + radius);
}

void camera_fit(camera *c, const bounds *b, double x, double y, double width, double height)
{
	double across = b->right - b->left, upward = b->top - b->bottom;
	c->scale = fmin(width/fmax(across, 1e-300), height/fmax(upward, 1e-300));
	c->x = x + width/2 - c->scale*(b->left + b->right)/2;
	c->y = y + height/2 + c->scale*(b->bottom + b->top)/2;
}
