/* Feeds its standard input to libvterm again and again for a while, in pieces
 * of 32 KiB, and prints how many bytes a second it took. The peer that
 * BenchmarkLibvterm measures in the same run.
 *
 *   cc -O2 -o libvterm libvterm.c -lvterm
 *   libvterm COLUMNS ROWS SECONDS < corpus
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <vterm.h>

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
	if (argc != 4) return 2;
	int cols = atoi(argv[1]), rows = atoi(argv[2]);
	double seconds = atof(argv[3]);
	size_t cap = 64 << 20, n = 0, got;
	char *in = malloc(cap);
	while ((got = fread(in + n, 1, cap - n, stdin)) > 0) n += got;
	if (n == 0) return 2;
	VTerm *vt = vterm_new(rows, cols);
	vterm_set_utf8(vt, 1);
	VTermScreen *screen = vterm_obtain_screen(vt);
	vterm_screen_enable_altscreen(screen, 1);
	vterm_screen_reset(screen, 1);
	double start = now(), end = start;
	double taken = 0;
	do {
		for (size_t at = 0; at < n; at += 32768) {
			size_t piece = n - at < 32768 ? n - at : 32768;
			vterm_input_write(vt, in + at, piece);
			vterm_screen_flush_damage(screen);
		}
		taken += n;
		end = now();
	} while (end - start < seconds);
	printf("%.0f\n", taken / (end - start));
	return 0;
}
