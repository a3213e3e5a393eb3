/** Simulates a slow disk: a preloaded library (LD_PRELOAD) delays and counts every fsync. */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_and_count(void) {
  int file = open(getenv("SLOW_DISK_COUNT"), O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (file >= 0) {
    if (write(file, ".", 1) < 0) abort();
    close(file);
  }
  usleep(1000 * atoi(getenv("SLOW_DISK_MS")));
}
int fsync(int file) {
  wait_and_count();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}
int fdatasync(int file) {
  wait_and_count();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
`;

export interface SlowDisk {
  /** Environment variables for the process. */
  env: Record<string, string>;
  /** Number of fsyncs so far. */
  count(): number;
}

/** Builds the library in `folder`; `ms` is the delay. Undefined without a C compiler or Linux. */
export function slowDisk(folder: string, name: string, ms: number): SlowDisk | undefined {
  if (process.platform !== 'linux') return undefined;
  const library = join(folder, 'slow-disk.so');
  if (!existsSync(library)) {
    const code = join(folder, 'slow-disk.c');
    writeFileSync(code, source);
    try {
      execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, code, '-ldl'], {
        stdio: 'pipe',
      });
    } catch {
      return undefined;
    }
  }
  const file = join(folder, `${name}.fsyncs`);
  return {
    env: { LD_PRELOAD: library, SLOW_DISK_MS: String(ms), SLOW_DISK_COUNT: file },
    count: () => (existsSync(file) ? statSync(file).size : 0),
  };
}
