/** Longest text of one segment of a fault's pointer, in UTF-16 units; a longer name is cut and ends in an ellipsis. */
export const MAX_SEGMENT_UNITS = 64;
/** Most segments of a fault's pointer; a deeper one is cut and ends in a segment that is an ellipsis. */
export const MAX_SEGMENTS = 64;
