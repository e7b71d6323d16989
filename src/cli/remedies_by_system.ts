/** Remedies of `doctor` that hold on one system alone: packages and control groups are Linux's. */

/** How to get what confines programs of Python, and limits for all processes together. */
export function remediesOn(os: typeof Deno.build.os): {
  readonly python: string;
  readonly quotas: string;
} {
  if (os === "linux") {
    return {
      python: "install Python and bubblewrap, for example: apt-get install python3 bubblewrap",
      quotas: "start Sluice in a control group of its own, for example: systemd-run --scope -p " +
        "MemoryMax=8G -p TasksMax=512 …",
    };
  }
  const linux = os === "windows" ? "WSL 2" : "a container or a virtual machine";
  return {
    python: `programs of Python are confined on Linux alone: start Sluice in ${linux}`,
    quotas: `start Sluice in ${linux} that bounds memory and processes`,
  };
}
