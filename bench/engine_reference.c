/* Gradients written by hand in C, with the exponential of src/numerics/math/elementary.ts: what generated
   code is compared with. Usage: engine_reference CASE ROWS CALLS; prints nanoseconds per gradient. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double x[10][100000], y[100000];

static double own_exp(double v) {
  if (!(v <= 708)) return INFINITY;
  if (v < -708) return 0;
  double shifted = v * 1.4426950408889634 + 6755399441055744.0;
  double k = shifted - 6755399441055744.0;
  double high = v - k * 6.93147180369123816490e-1, low = k * 1.90821492927058770002e-10;
  double r = high - low, t = r * r;
  double c = r - t * (1.66666666666666019037e-1 + t * (-2.77777777770155933842e-3 +
    t * (6.61375632143793436117e-5 + t * (-1.65339022054652515390e-6 + t * 4.13813679705723846039e-8))));
  double value = 1 - ((low - (r * c) / (2 - c)) - high);
  uint64_t bits;
  memcpy(&bits, &shifted, 8);
  bits = (bits << 52) + 0x3ff0000000000000ULL;
  double scale;
  memcpy(&scale, &bits, 8);
  return value * scale;
}

static double dugongs(const double *q, double *g, int n) {
  double share = 1 / (1 + own_exp(-q[2])), lambda = 0.5 + 0.5 * share, rate = log(lambda);
  double sigma = own_exp(q[3]), w = 1 / (sigma * sigma);
  double rr = 0, r0 = 0, r1 = 0, r2 = 0;
  for (int i = 0; i < n; i++) {
    double e = own_exp(x[0][i] * rate), r = y[i] - (q[0] - q[1] * e), t = e * r;
    rr += r * r, r0 += r, r1 += t, r2 += x[0][i] * t;
  }
  g[0] = w * r0 - q[0] * 0.01;
  g[1] = -w * r1 - q[1] * 0.01;
  g[2] = -w * q[1] * r2 / lambda * 0.5 * share * (1 - share) + 1 - 2 * share;
  g[3] = rr * w - n - sigma * sigma + 1;
  return -0.5 * rr * w - n * q[3] - 0.005 * (q[0] * q[0] + q[1] * q[1]) + q[3] -
    0.5 * sigma * sigma + log(share * (1 - share));
}

static double poisson(const double *q, double *g, int n) {
  double s = 0, g0 = 0, g1 = 0, g2 = 0, g3 = 0;
  for (int i = 0; i < n; i++) {
    double eta = q[0] + q[1] * x[0][i] + q[2] * x[1][i] + q[3] * x[2][i], mu = own_exp(eta), r = y[i] - mu;
    s += y[i] * eta - mu, g0 += r, g1 += r * x[0][i], g2 += r * x[1][i], g3 += r * x[2][i];
  }
  g[0] = g0 - q[0] * 0.01, g[1] = g1 - q[1] * 0.01, g[2] = g2 - q[2] * 0.01, g[3] = g3 - q[3] * 0.01;
  return s - 0.005 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

static double logistic(const double *q, double *g, int n) {
  double s = 0, a[10] = {0};
  for (int i = 0; i < n; i++) {
    double eta = 0;
    for (int j = 0; j < 10; j++) eta += x[j][i] * q[j];
    double e = own_exp(-fabs(eta)), p = (eta >= 0 ? 1 : e) / (1 + e), r = y[i] - p;
    s += y[i] * eta - ((eta > 0 ? eta : 0) + log1p(e));
    for (int j = 0; j < 10; j++) a[j] += r * x[j][i];
  }
  for (int j = 0; j < 10; j++) g[j] = a[j] - q[j], s -= 0.5 * q[j] * q[j];
  return s;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  int n = atoi(argv[2]), calls = atoi(argv[3]);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 10; j++) x[j][i] = ((i * (7 + j) + 3 * j) % 19) / 9.5 - 0.9;
    if (argv[1][0] == 'd') x[0][i] = 1 + i % 30, y[i] = 1.7 + 0.03 * (i % 30);
    else if (argv[1][0] == 'p') y[i] = (i * 7) % 5;
    else y[i] = (i * 7) % 5 < 2;
  }
  double q[10] = {2.6, 0.9, 0.5, -2, 0.1, 0.2, -0.3, 0.4, -0.1, 0.3}, g[10], sum = 0;
  if (argv[1][0] != 'd') q[0] = 0.3, q[1] = 0.2, q[2] = -0.2, q[3] = 0.1;
  struct timespec begin, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  for (int k = 0; k < calls; k++) {
    q[1] += 1e-9;
    sum += argv[1][0] == 'd' ? dugongs(q, g, n) : argv[1][0] == 'p' ? poisson(q, g, n) : logistic(q, g, n);
    sum += g[0];
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  double ns = (end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec);
  printf("%.1f %g\n", ns / calls, sum);
  return 0;
}
