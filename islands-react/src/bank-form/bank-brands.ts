/**
 * The brands under which people know their banks. The list of banks itself comes from the server, with the names of a
 * registry; `bank-list.ts` decides which of them is a brand's.
 */
export type Brand = {
  /** The COMPE code. The list may have other codes: alone it says nothing. */
  code: string;
  name: string;
  /** The names under which the list may have the bank, in folded words, the likeliest first. */
  registered: readonly string[];
  /** Nicknames, former names and products that people type. */
  nicknames: readonly string[];
};

/** COMPE codes of the banks where small companies have their accounts, the most used first. */
export const MOST_USED = ['341', '237', '001', '104', '033', '260', '077', '756', '748', '323', '336', '290'];

/** COMPE code | brand | registered names | nicknames. */
const TABLE = `
001 | Banco do Brasil | | bb
003 | Banco da Amazônia | | basa
004 | Banco do Nordeste | banco do nordeste do brasil | bnb
007 | BNDES | banco nacional de desenvolvimento economico e social |
021 | Banestes | banestes banco do estado do espirito santo, banco do estado do espirito santo |
033 | Santander | santander brasil | banespa, banco real
037 | Banpará | banco do estado do para, banco do est do pa |
041 | Banrisul | banco do estado do rio grande do sul, banco do estado do rs |
047 | Banese | banco do estado de sergipe, banco do est de se |
069 | Crefisa | |
070 | BRB | brb banco de brasilia, brb bco de brasilia, banco de brasilia |
077 | Inter | | intermedium
082 | Topázio | |
084 | Sisprime | sisprime do brasil cooperativa de credito, sisprime do brasil coop, sisprime do brasil |
085 | Ailos | cooperativa central de credito ailos, coopcentral ailos | cecred, viacredi
097 | Credisis | credisis central de cooperativas de credito |
099 | Uniprime | uniprime central nacional central nacional de cooperativa de credito, uniprime coopcentral |
104 | Caixa | caixa economica federal, caixa economica | cef
121 | Agibank | | agi, agiplan
125 | Banco Genial | |
133 | Cresol | cresol confederacao |
136 | Unicred | unicred do brasil, cooperativa central de credito unicred do brasil unicred do brasil |
197 | Stone | stone pagamentos | ton
208 | BTG Pactual | btg |
212 | Banco Original | |
218 | BS2 | | bonsucesso
224 | Banco Fibra | |
237 | Bradesco | | hsbc, next
246 | ABC Brasil | |
254 | Paraná Banco | parana bco |
260 | Nubank | nu pagamentos, nu financeira, nu | roxinho
290 | PagBank | pagseguro internet, pagseguro | moderninha
318 | BMG | |
323 | Mercado Pago | mercadopago | mercado livre
335 | Digio | |
336 | C6 Bank | c6 |
341 | Itaú | itau unibanco | iti, unibanco
348 | XP | | xp investimentos
364 | Efí | efi bank | gerencianet
376 | J.P. Morgan | | chase
380 | PicPay | |
389 | Mercantil | mercantil do brasil |
401 | iugu | |
403 | Cora | |
404 | SumUp | |
422 | Safra | |
461 | Asaas | asaas gestao financeira | asas
509 | Celcoin | |
536 | Neon | neon pagamentos |
542 | InfinitePay | cloudwalk e servicos, cloudwalk |
611 | Banco Paulista | |
623 | Banco Pan | | panamericano
633 | Banco Rendimento | |
634 | Tribanco | triangulo |
637 | Sofisa | | sofisa direto
643 | Banco Pine | |
655 | BV | votorantim | bv financeira
707 | Daycoval | |
745 | Citibank | citi |
747 | Rabobank | rabobank international brasil, rabobank intl brasil |
748 | Sicredi | cooperativo sicredi |
756 | Sicoob | cooperativo sicoob banco sicoob, cooperativo sicoob, cooperativo do brasil bancoob, cooperativo do brasil | bancoob
`;

export const BRANDS: readonly Brand[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [code = '', name = '', registered = '', nicknames = ''] = line.split('|').map((cell) => cell.trim());
    return { code, name, registered: names(registered), nicknames: names(nicknames) };
  });

function names(cell: string): readonly string[] {
  return cell === '' ? [] : cell.split(', ');
}
