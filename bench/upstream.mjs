/** A widget API for measurements: responds to the nine calls after a fixed delay. Environment: DELAY_MS, PORT. */
import http from 'node:http';

const delay = Number(process.env.DELAY_MS ?? 50);
const session = {
  client_name: 'Padaria Pão Quente Ltda',
  client_cpfcnpj: '12345678000195',
  customer_id: 1,
  customer_name: 'Contabilidade Exemplo',
  widget_account_admin_name: '',
  widget_account_admin_cpfcnpj: '',
  widget_type: 'new',
  widget_account_bank: '',
  link_id: null,
  client_uuid: '11111111-2222-4333-8444-555555555555',
};
const answers = {
  '/validate-token': session,
  '/list-accounts': [
    { bank: 'Banco do Brasil', agency: '1234', number: '567890-1', name: 'Conta movimento' },
    { bank: 'Itaú', agency: '0001', number: '12345-6', name: 'Reserva' },
  ],
  '/list-banks': Array.from({ length: 220 }, (_, i) => ({ code: i + 1, name: `Banco ${i + 1}` })),
  '/connect-token': 'connect-token',
};

const server = http.createServer((request, response) => {
  request.resume();
  request.on('end', () =>
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: answers[request.url] ?? {}, meta: { status: 200, message: 'OK' } }));
    }, delay),
  );
});
server.listen(Number(process.env.PORT ?? 7400), '127.0.0.1', () => console.log('upstream ready'));
