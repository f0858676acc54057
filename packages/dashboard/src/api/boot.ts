import type { Routes } from "./api.generated.ts";

/** Data that the server wrote into the page. */
interface Boot {
	readonly version: string;
	readonly session: "fresh" | "stale" | "none";
	readonly config: Routes["GET /config"]["answer"];
	/** On the page of a shared link: whether it shows anything, and asks for a password first. */
	readonly share: "open" | "locked" | "gone";
}

/** The page's own copy of what the server knew when it answered; empty where Vite serves the page. */
export const boot: Partial<Boot> = JSON.parse(document.getElementById("boot")?.textContent || "{}");

/** Whether plans are paid for here; otherwise the operator sets them. */
export const isPaidHere = boot.config?.payments === "stripe";
