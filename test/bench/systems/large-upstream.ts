/**
 * An upstream whose answer is one object of as many bytes as its argument says: the five members of the pull request that
 * are wanted, and a list of items that nobody wants, sent as fast as it is taken and never held whole. On a path that ends
 * with 2 the list has one item.
 */
import { createServer } from 'node:http';
import { told } from './listen.js';

const bytes = Number(process.argv[2]);
const start = `{"number":2,"state":"open","merged":false,"user":{"login":"octocat"},"head":{"sha":"${'0a'.repeat(20)}"},"events":[0`;
const item = `,{"id":1234567,"kind":"labeled","name":"area \\"core\\"","created_at":"2026-01-15T09:30:00Z","url":"https://api.example.com/events/1234567"}`;
const piece = Buffer.from(item.repeat(Math.floor(65_536 / item.length)));
const end = ']}';
const most = Math.floor((bytes - start.length - end.length) / piece.length);

const server = createServer((request, response) => {
  const pieces = request.url?.endsWith('2') === true ? 0 : most;
  const length = start.length + pieces * piece.length + end.length;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
  response.write(start);
  let left = pieces;
  const more = (): void => {
    while (left > 0) {
      left--;
      if (!response.write(piece)) {
        response.once('drain', more);
        return;
      }
    }
    response.end(end);
  };
  more();
});
server.listen(0, '127.0.0.1', () => told(server));
