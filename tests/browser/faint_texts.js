// Returns the texts whose contrast with what is behind them is below AA:
// https://www.w3.org/TR/WCAG22/#contrast-minimum
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

const channels = (color) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
};

const linear = (channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);

const luminance = (color) => {
  const [red, green, blue] = channels(color).map((channel) => linear(channel / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const behind = (element) => {
  for (let each = element; each; each = each.parentElement) {
    const color = getComputedStyle(each).backgroundColor;
    if (channels(color)[3] === 255) return color;
  }
  return "white";
};

const enough = ({ fontSize, fontWeight }) => {
  const size = parseFloat(fontSize);
  return size >= 24 || (size >= 18.66 && fontWeight >= 700) ? 3 : 4.5;
};

const faint = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.data.trim();
  const element = walker.currentNode.parentElement;
  if (!text || !element.checkVisibility() || element.closest(".unseen")) continue;
  const style = getComputedStyle(element);
  const [dark, light] = [luminance(style.color), luminance(behind(element))].sort((a, b) => a - b);
  if ((light + 0.05) / (dark + 0.05) < enough(style)) faint.push([text.slice(0, 40), style.color, behind(element)]);
}
return faint;
