/** The help text of the bench. */
export function usageOf(cases: {
  readonly usual: readonly string[];
  readonly extra: readonly string[];
}): string {
  return `Usage: npm run bench -- [--seconds N] [--rounds N] [--only CASE,…] [--json FILE]
  --seconds  length of each measurement (5)
  --rounds   how often each case is measured; the cases take turns (3)
  --only     of these cases: ${cases.usual.join(", ")};
             and, only when named: ${cases.extra.join(", ")}
             (drain-100k takes some minutes)
  --json     also writes the figures to this file
       npm run bench -- --growth [--sizes N,…] [--deliveries N] [--json FILE]
  --growth   what each statement costs in databases of 10 thousand, 1 million and 10 million messages; takes 20 minutes
             and 20 GB below the temporary directory
  --sizes    messages, ascending (10000,1000000,10000000)
  --deliveries
             more deliveries to webhooks at the last size (0); a hundred million take 50 GB
       npm run bench -- --help
  --help     also how to read the figures

Exit code 0 also if a goal is missed or a case is VOID; 1 after an unexpected response; 2 for wrong arguments.`;
}

export const HOW_TO_READ = `How to read the figures

requests/s     Median of the rounds, over all of the machine: the load is made on the same cores. Slowest and fastest
               round are the noise; where they lie far apart, something else was running.
CPU ms/request CPU time of all cores for one request, whoever spent it. Cores × 1000 divided by it is the most that this
               machine can answer, however the work is divided.
node, PostgreSQL, load
               Whose it was: Waypost's process with the simulator in it, PostgreSQL with all of its processes, and the
               bench itself. What they don't add up to was spent by the kernel for nobody, or by strangers.
strangers      Share of all cores that processes outside of the bench took, in the worst round, and other virtual machines
               on the same processor. The kernel's threads aren't strangers. Above 5 % the case is VOID: no goal is judged.
CPU busy       100 %: the processor bounds the figure, and the largest of the three is where to save. Clearly less: it
               waits for something else, for the disk at a commit as a rule.
× empty Next   As a multiple of an empty Next.js route handler, which is what can be compared between machines. Only if
               the case empty-next is measured in the same run, and neither is VOID. "PostgreSQL alone" does the same
               statements without HTTP, and is the limit of new messages.
lone           The idle cost of the same time is subtracted from each figure. "node" includes the simulator. Write calls
               are those of the process to sockets and files. A message has three webhooks, to another process.
life           The simulator and the receiver of the webhooks have their own processes, which count as load.
load           Capacity is what both kinds of requests reach together, where the time until the last message was handed
               upstream and its last callback was processed counts too. At 70 % of it, each time counts from the
               scheduled moment, so that a stall also counts for the requests that had to wait behind it. PostgreSQL makes
               a checkpoint and a vacuum meanwhile. Delays of the event loop and pauses of garbage collection are those
               of /metrics; a pause of PostgreSQL is a time without a response.
Peaks          The kernel's own high-water marks. PostgreSQL's largest process counts the shared buffers as its own; all
               of them together count them once.

With --growth

blocks         Pages of 8 KB that one run of the statement looked at, in memory or not, as EXPLAIN (ANALYZE, BUFFERS)
               tells for the very statement that the program sent, after some runs, as in a long-running process.
ratio          Largest database by smallest.
at equal depth The same without the pages by which indexes have become deeper (the second table): a thousand times as
               many rows are one or two pages more for each search and each index entry, and these stay in memory.
grows          More than 1.3 at equal depth, and more than ten pages. In lists, rows that lie less close together; in
               GET /messages?since=, steps of a binary search, which grow with the logarithm.`;
