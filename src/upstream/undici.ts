/**
 * The parts of undici that this floor uses, each from its own file: the index of the package loads all the others with
 * them, a megabyte of fetch, caches, mocks and sockets, which a start would wait for.
 */
import errors from 'undici/lib/core/errors.js';
import Client from 'undici/lib/dispatcher/client.js';
import Pool from 'undici/lib/dispatcher/pool.js';

export { Client, errors, Pool };
