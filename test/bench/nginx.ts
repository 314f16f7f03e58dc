import { join } from 'node:path';
import { output } from './child.js';
import { write } from './workspace.js';

/** `nginx/1.22.1`, or undefined where it is not installed. */
export function nginxVersion(): string | undefined {
  return /nginx\/[\d.]+/.exec(output('nginx', ['-v']) ?? '')?.[0];
}

/** Writes a configuration that passes everything on over kept connections; gives the arguments of nginx. */
export function nginxArguments(folder: string, listen: number, upstream: string): string[] {
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${join(folder, `nginx-${name}`)};`,
  );
  // Nothing is written to disk: answers stay in memory, as in the other systems.
  write(
    file,
    `daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;\n' : ''}pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'nginx.log')};
events { worker_connections 2048; }
http {
${temporary.join('\n')}
  access_log off;
  keepalive_requests 100000000;
  upstream bench {
    server ${new URL(upstream).host};
    keepalive 256;
    keepalive_requests 100000000;
  }
  server {
    listen 127.0.0.1:${listen} backlog=1024;
    location / {
      proxy_pass http://bench;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffers 32 64k;
      proxy_busy_buffers_size 128k;
      proxy_buffer_size 64k;
      proxy_max_temp_file_size 0;
    }
  }
}
`,
  );
  return ['-p', folder, '-c', file, '-e', join(folder, 'nginx.log')];
}
