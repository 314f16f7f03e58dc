/**
 * The upstream of every system: an HTTP server that does as little as one can. It looks for the ends of request heads and
 * for their paths, and writes answers that were made before. It is measured by itself as `direct`.
 */
import { createServer } from 'node:net';
import { BODIES, bodyBytes, ENDINGS } from '../bodies.js';
import { pathOf } from '../paths.js';
import { told } from './listen.js';

const answers = new Map<string, Buffer>();
for (const body of BODIES) {
  for (const ending of ENDINGS) {
    const bytes = bodyBytes(body, ending);
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${bytes.length}\r\nserver: bench\r\ncache-control: private, max-age=60\r\netag: W/"6c1d"\r\nvary: Accept\r\n\r\n`;
    answers.set(pathOf(body, ending), Buffer.concat([Buffer.from(head), bytes]));
  }
}
const unknown = Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');

const server = createServer({ noDelay: true }, (socket) => {
  let rest = '';
  socket.on('data', (chunk) => {
    const text = rest + chunk.toString('latin1');
    let from = 0;
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n', from)) {
      const path = text.slice(text.indexOf(' ', from) + 1, text.indexOf(' HTTP/', from));
      socket.write(answers.get(path) ?? unknown);
      from = end + 4;
    }
    rest = text.slice(from);
  });
  // A system that refuses an answer closes its connection in the middle of it.
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', 1_024, () => told(server));
