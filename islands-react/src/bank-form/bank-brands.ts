/**
 * Brands and registry names of the same bank: a search for one finds the other. The list of banks itself comes from
 * the server; a bank belongs to a group if its name contains one of the group's names as whole words. Names are in
 * lower case, without accents. `code` is the bank's COMPE code.
 */
type BrandGroup = { code: string; names: readonly string[] };

export const BRAND_GROUPS: readonly BrandGroup[] = [
  { code: '001', names: ['banco do brasil', 'bb'] },
  { code: '003', names: ['banco da amazonia', 'basa'] },
  { code: '004', names: ['banco do nordeste', 'bnb'] },
  { code: '033', names: ['santander'] },
  { code: '041', names: ['banrisul', 'banco do estado do rio grande do sul'] },
  { code: '047', names: ['banese', 'banco do estado de sergipe'] },
  { code: '070', names: ['brb', 'banco de brasilia'] },
  { code: '077', names: ['banco inter', 'inter', 'intermedium'] },
  { code: '085', names: ['ailos', 'cooperativa central de credito ailos'] },
  { code: '102', names: ['xp', 'xp investimentos'] },
  { code: '104', names: ['caixa', 'caixa economica federal', 'cef'] },
  { code: '197', names: ['stone', 'stone pagamentos', 'ton'] },
  { code: '208', names: ['btg', 'btg pactual'] },
  { code: '237', names: ['bradesco'] },
  { code: '260', names: ['nubank', 'nu pagamentos'] },
  { code: '290', names: ['pagbank', 'pagseguro'] },
  { code: '318', names: ['bmg'] },
  { code: '323', names: ['mercado pago', 'mercadopago'] },
  { code: '336', names: ['c6', 'c6 bank', 'banco c6'] },
  { code: '341', names: ['itau', 'itau unibanco'] },
  { code: '364', names: ['efi', 'gerencianet'] },
  { code: '380', names: ['picpay'] },
  { code: '403', names: ['cora'] },
  { code: '422', names: ['safra'] },
  { code: '461', names: ['asaas'] },
  { code: '536', names: ['neon'] },
  { code: '623', names: ['pan', 'banco pan', 'panamericano'] },
  { code: '655', names: ['bv', 'votorantim'] },
  { code: '707', names: ['daycoval'] },
  { code: '748', names: ['sicredi', 'banco cooperativo sicredi'] },
  { code: '756', names: ['sicoob', 'bancoob', 'banco cooperativo do brasil'] },
];
