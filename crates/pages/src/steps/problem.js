// Copies the support code; without JavaScript the code can only be selected, so the button is not there.
(() => {
  const code = document.getElementById('support-code');
  const button = document.getElementById('copy-code');
  const told = document.getElementById('copied');
  if (!navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      told.textContent = told.dataset.words;
    } catch {
      getSelection().selectAllChildren(code);
    }
  });
})();
