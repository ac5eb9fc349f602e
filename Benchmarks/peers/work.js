// The work of work.c for deno: reads the row, counts its digits, writes one line.
const row = new Uint8Array(4096);
let size = 0, count;
while ((count = Deno.stdin.readSync(row.subarray(size))) > 0) size += count;
let digits = 0;
for (let i = 0; i < size; i++) digits += row[i] >= 48 && row[i] <= 57;
Deno.stdout.writeSync(new TextEncoder().encode(`{"digits":${String(digits).padStart(2, "0")}}\n`));
