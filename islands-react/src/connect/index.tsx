import { finishConnect, openConnect, reportConnectError, reportConnectStep } from '../api';
import { island } from '../mount';
import { Connect } from './Connect';
import { pluggyOpener } from './pluggy';

export const mount = island('connect', ({ context: { session, widgetType, customerName } }) => (
  <Connect
    updateFor={widgetType === 'update' ? customerName : undefined}
    openConnect={() => openConnect({ session })}
    finishConnect={(itemId) => finishConnect({ session, itemId })}
    reportError={(message, itemId, pending) => void reportConnectError({ session, message, itemId, pending })}
    reportStep={(stepped) => void reportConnectStep({ session, ...stepped })}
    openPluggy={pluggyOpener()}
    replace={window.vincula.replace}
  />
));
