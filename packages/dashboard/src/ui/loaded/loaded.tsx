import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { asFailure, type Failure } from "../../lib/failure.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../button/button.tsx";
import styles from "./loaded.module.css";

const t = texts({
	en: {
		again: "Try again",
		loading: "Loading",
		request: "Request",
		wait: (s: number) => `Too many requests. Next try in ${s} s.`,
	},
	es: {
		again: "Reintentar",
		loading: "Cargando",
		request: "Petición",
		wait: (s: number) => `Demasiadas peticiones. Nuevo intento en ${s} s.`,
	},
});

interface LoadedProps<T> {
	readonly query: UseQueryResult<T, Error>;
	/** Stands for the part while nothing is known of it; keeps its height. */
	readonly skeleton?: ReactNode;
	/** Names the part within its screen: while it loads, it is as high as it was in this tab. */
	readonly part?: string;
	/** True when there is nothing to show. */
	readonly isEmpty?: (data: T) => boolean;
	/** Shown for an empty part: the reason and the next step. */
	readonly empty?: ReactNode;
	readonly children: (data: T) => ReactNode;
}

/** The four states of a part: loading, failed, empty, loaded. Old data stays until new data arrives. */
export function Loaded<T>({ query, skeleton, part, isEmpty, empty, children }: LoadedProps<T>) {
	const [box, height] = useKeptHeight(part, query.data !== undefined);
	if (query.data === undefined) {
		if (query.error) return <Failed failure={asFailure(query.error)} again={() => void query.refetch()} />;
		// A part far below the viewport has not requested anything and is not loading.
		const isAsked = query.fetchStatus !== "idle";
		return (
			<div data-loading={isAsked ? "" : undefined} aria-busy={isAsked}>
				{skeleton ?? (
					<div
						className={classes("placeholder", styles.skeleton)}
						style={{ height, minHeight: height }}
						role="status"
						aria-label={t.loading}
					/>
				)}
			</div>
		);
	}
	if (isEmpty?.(query.data))
		return (
			<div ref={box} className={styles.state}>
				{empty}
			</div>
		);
	const isStale = query.isPlaceholderData;
	return (
		<div ref={box} className={isStale ? styles.stale : undefined} data-stale={isStale ? "" : undefined}>
			{children(query.data)}
		</div>
	);
}

/** Heights depend on the width of the window, and on the pointer: rows are higher for fingers. */
const layoutNow = () => `${innerWidth} ${matchMedia("(pointer: coarse)").matches}`;

/** Keeps the height of a part that is loaded, for this layout. */
function useKeptHeight(
	part: string | undefined,
	isLoaded: boolean,
): [RefObject<HTMLDivElement | null>, string | undefined] {
	const box = useRef<HTMLDivElement>(null);
	const layout = layoutNow();
	const name = part && `height ${location.pathname} ${part} ${layout}`;
	// The layout and the storage are outside of React.
	useLayoutEffect(() => {
		if (name === undefined || !isLoaded || box.current === null) return;
		const { current } = box;
		const observer = new ResizeObserver(() => {
			// A window that is turned or docked changes the height without a render.
			if (layoutNow() === layout) sessionStorage.setItem(name, `${current.getBoundingClientRect().height}px`);
		});
		observer.observe(current);
		return () => observer.disconnect();
	}, [name, layout, isLoaded]);
	return [box, (name && sessionStorage.getItem(name)) ?? undefined];
}

/** Shown when a query failed. */
export function Failed({ failure, again }: { readonly failure: Failure; readonly again: () => void }) {
	const left = useCountdown(failure.retryAfter, again);
	return (
		<div className={styles.state} role="alert">
			<p>{left > 0 ? t.wait(left) : failure.message}</p>
			{left === 0 && (
				<Button small onClick={again}>
					{t.again}
				</Button>
			)}
			{failure.requestId && (
				<p className={styles.id}>
					{t.request} {failure.requestId}
				</p>
			)}
		</div>
	);
}

/** Seconds that are left; at the end the question is asked again by itself. */
function useCountdown(seconds: number | undefined, atEnd: () => void): number {
	const [left, setLeft] = useState(seconds ?? 0);
	// A clock is outside of React.
	useEffect(() => {
		if (left === 0) return;
		const timer = setTimeout(() => {
			setLeft(left - 1);
			if (left === 1) atEnd();
		}, 1_000);
		return () => clearTimeout(timer);
	});
	return left;
}
