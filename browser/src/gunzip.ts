/** Data of the page: gzip as base64 in script elements that are not run. */

export async function gunzip(id: string): Promise<Response> {
  const holder = document.getElementById(id);
  if (holder === null) throw new Error(`expected an element "${id}", found none`);
  const decoded = atob((holder.textContent ?? "").trim());
  const packed = new Uint8Array(decoded.length);
  for (let position = 0; position < packed.length; position++) packed[position] = decoded.charCodeAt(position);
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
}
