import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSite } from "../site/index.ts";
import { addressOf, type View, viewsQuery } from "./use-views.ts";
import type { ViewKind } from "./view-kind.ts";

interface SavedChoicesProps {
	readonly kind: ViewKind;
	/** Shows the views, the reader's own and those that others share; `open` goes to one. */
	readonly children: (views: readonly View[], open: (view: View) => void) => ReactNode;
}

/** Saved views of a kind on the screen itself; nothing where there are none. */
export function SavedChoices({ kind, children }: SavedChoicesProps) {
	const navigate = useNavigate();
	const { data: views = [] } = useQuery(viewsQuery(useSite().id, kind));
	if (views.length === 0) return null;
	return children(views, ({ definition }) => void navigate({ to: ".", search: addressOf(definition) }));
}
