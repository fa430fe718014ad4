/** Lets the support code of an error screen be copied. Without a clipboard it can only be selected. */
export function operateCopying(): void {
  const code = document.getElementById('support-code');
  const button = document.getElementById('copy-code');
  const status = document.getElementById('copied');
  if (!code || !button || !navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent ?? '');
      if (status) status.textContent = status.dataset.words ?? '';
    } catch {
      getSelection()?.selectAllChildren(code);
    }
  });
}
