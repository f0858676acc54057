import { boot } from "../../api/boot.ts";

/** Whether plans are paid for here; otherwise the operator sets them. */
export const isPaidHere = boot.config?.payments === "stripe";
