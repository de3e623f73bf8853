'use strict';
const info = document.getElementById('info');
const idle = info.textContent;
const cells = [...document.querySelectorAll('g[data-coord]')];
const keyOf = d => d.thread !== undefined ? 'thread ' + d.thread
    : d.bank !== undefined ? 'bank ' + d.bank
    : d.offset !== undefined ? 'index ' + d.offset : '';
const same = new Map();
for (const cell of cells) {
  const key = keyOf(cell.dataset), title = cell.querySelector('title');
  cell.dataset.says = title.textContent;
  title.remove();
  if (!same.has(key)) same.set(key, []);
  same.get(key).push(cell);
}
let marked = [];
function mark(cell) {
  for (const other of marked) other.classList.remove('same');
  marked = cell && keyOf(cell.dataset) ? same.get(keyOf(cell.dataset)) : [];
  for (const other of marked) other.classList.add('same');
  document.querySelector('svg').classList.toggle('marks', marked.length > 1);
  info.textContent = !cell ? idle : cell.dataset.says +
      (marked.length > 1 ? ' \u2014 ' + marked.length + ' cells of ' +
      keyOf(cell.dataset) : '');
}
const svg = document.querySelector('svg');
const fit = document.getElementById('fit');
fit.onchange = () => {
  svg.classList.toggle('fit', fit.checked);
  svg.style.width = svg.style.height = '';
};
fit.checked = true;
fit.onchange();
// Where there are several warps, each may have one colour of the palette.
const warps = document.getElementById('warps');
const warpOf = cell => cell.dataset.thread >> 5;
warps.parentElement.hidden = !cells.some(warpOf);
warps.onchange = () => {
  for (const cell of cells.filter(cell => cell.dataset.thread)) {
    const rect = cell.querySelector('rect');
    cell.dataset.color ||= rect.getAttribute('class');
    rect.setAttribute('class', !warps.checked ? cell.dataset.color :
        cell.dataset.color.replace(/\bc\d+/, 'c' + (warpOf(cell) * 4 + 2) % 32));
  }
};
// Ctrl and the wheel zoom about the pointer; dragging pans.
const main = document.querySelector('main');
main.addEventListener('wheel', event => {
  if (!event.ctrlKey) return;
  event.preventDefault();
  const before = svg.getBoundingClientRect();
  const factor = event.deltaY < 0 ? 1.25 : 0.8;
  fit.checked = false;
  svg.classList.remove('fit');
  svg.style.width = before.width * factor + 'px';
  svg.style.height = 'auto';
  main.scrollLeft += (event.clientX - before.left) * (factor - 1);
  scrollBy(0, (event.clientY - before.top) * (factor - 1));
}, {passive: false});
main.addEventListener('pointermove', event => {
  if (event.buttons !== 1) return;
  main.scrollLeft -= event.movementX;
  scrollBy(0, -event.movementY);
});
document.addEventListener('mouseover', event =>
    mark(event.target.closest('g[data-coord]')));
