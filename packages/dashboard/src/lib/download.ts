/** Hands the reader a file. */
export function download(name: string, content: Blob): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(content);
	link.download = name;
	link.click();
	// The browser has begun to read it by then.
	setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A table file of the browser's own making. */
export const downloadCsv = (name: string, text: string): void =>
	download(name, new Blob([text], { type: "text/csv;charset=utf-8" }));
