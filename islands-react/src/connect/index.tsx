import { finishConnect, openConnect, reportConnectError, reportConnectStep } from '../api';
import { island } from '../mount';
import { kept } from '../page/kept';
import { forgetIfSettled, keepItem } from '../page/undelivered';
import { Connect } from './Connect';
import { pluggyOpener } from './pluggy';

export const mount = island('connect', ({ context: { session, widgetType, customerName } }) => (
  <Connect
    updateFor={widgetType === 'update' ? customerName : undefined}
    openConnect={() => openConnect({ session })}
    undelivered={window.vincula.undelivered(session)?.itemId}
    finishConnect={async (itemId) => {
      const outcome = await finishConnect({ session, itemId });
      forgetIfSettled(session, outcome);
      return outcome;
    }}
    keepItem={(itemId) => keepItem(session, { itemId, bank: String(kept('bank', session) ?? ''), at: Date.now() })}
    reportError={(message, itemId, pending) => void reportConnectError({ session, message, itemId, pending })}
    reportStep={(stepped) => void reportConnectStep({ session, ...stepped })}
    openPluggy={pluggyOpener()}
    replace={window.vincula.replace}
  />
));
