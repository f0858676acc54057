/** Colours that a segment may have, in their order; the words for them stand beside the screen. */
export const segmentColors = {
	blue: "#3b82f6",
	teal: "#14b8a6",
	green: "#22c55e",
	yellow: "#eab308",
	orange: "#f97316",
	red: "#ef4444",
	pink: "#ec4899",
	purple: "#8b5cf6",
} as const;
