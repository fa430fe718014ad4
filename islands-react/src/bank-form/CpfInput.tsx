import type { ChangeEvent, ReactNode, Ref } from 'react';
import { bankForm as words } from '../messages';
import { maskCpf, maskedCaret } from './cpf-mask';
import type { FieldLinks } from './Field';

type Props = FieldLinks & {
  inputRef: Ref<HTMLInputElement>;
  value: string;
  onChange: (masked: string) => void;
  onBlur: () => void;
  readOnly: boolean;
};

export function CpfInput({ id, invalid, describedBy, inputRef, value, onChange, onBlur, readOnly }: Props): ReactNode {
  function mask({ target, nativeEvent }: ChangeEvent<HTMLInputElement>): void {
    const typed = target.value;
    const masked = maskCpf(typed);
    let caret = maskedCaret(typed, target.selectionStart ?? typed.length, masked);
    // Forward deletion of a dot: the dot comes back, so the caret steps over it and the next press deletes a digit.
    if (masked === value && inputTypeOf(nativeEvent) === 'deleteContentForward') caret += 1;
    // Set before React renders: React then finds no difference and leaves the caret alone.
    target.value = masked;
    target.setSelectionRange(caret, caret);
    onChange(masked);
  }

  return (
    <input
      ref={inputRef}
      id={id}
      className="field__input"
      type="text"
      name="cpf"
      inputMode="numeric"
      autoComplete="off"
      placeholder={words.cpfPlaceholder}
      required
      readOnly={readOnly}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      data-invalid={invalid || undefined}
      value={value}
      onChange={mask}
      onBlur={onBlur}
    />
  );
}

function inputTypeOf(event: Event): string {
  return event instanceof InputEvent ? event.inputType : '';
}
