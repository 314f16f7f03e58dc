/** SGR parameters (ECMA-48 section 8.3.117): how to begin and how to end. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
} as const;

export type Style = keyof typeof STYLES;
export type Paint = (style: Style, text: string) => string;

/** Gives a painter that colours, or one that leaves the text alone. */
export function painter(color: boolean): Paint {
  if (!color) return (_style, text) => text;
  return (style, text) => {
    const [begin, end] = STYLES[style];
    return `\u001b[${begin}m${text}\u001b[${end}m`;
  };
}
