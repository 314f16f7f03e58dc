/** Ending of a retained answer's file; the file being written has ENDING + TEMPORARY. */
export const ENDING = '.answer';
export const TEMPORARY = '.tmp';

const REF = /^\d{8}T\d{9}Z-[A-Za-z0-9_.]{1,64}(?:-\d{3})?$/;

/**
 * The name of a retained answer, `20250301T120000000Z-req.J7q94MkP`: its time (UTC, to the millisecond) and the request
 * id, every other character of which becomes `_`. A second answer of one call in one millisecond gets `-002`. Names in
 * plain character order are in order of time. Null where the time is none that a name can hold.
 */
export function makeRef(time: number, requestId: string, taken: (ref: string) => boolean): string | null {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return null;
  const id = requestId.replace(/[^A-Za-z0-9_.]/g, '_').slice(0, 64) || '_';
  const base = `${date.toISOString().replace(/[-:.]/g, '')}-${id}`;
  if (!isRef(base)) return null;
  if (!taken(base)) return base;
  for (let number = 2; number <= 999; number++) {
    const ref = `${base}-${String(number).padStart(3, '0')}`;
    if (!taken(ref)) return ref;
  }
  return null;
}

/** Whether a text is a reference and nothing else: it names a file in the directory and cannot lead out of it. */
export function isRef(text: string): boolean {
  return REF.test(text) && !Number.isNaN(timeOfRef(text));
}

/** Time of a reference, milliseconds since the epoch; NaN where its digits are no date. */
export function timeOfRef(ref: string): number {
  return Date.parse(
    ref.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z'),
  );
}
