import { useEffect, useRef, useState } from "react";
import { count } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Logo } from "../../ui/logo/logo.tsx";
import { useSites } from "../site/index.ts";
import type { LiveChoice } from "./live-line.ts";
import { LiveList } from "./live-list.tsx";
import { MinutesChart } from "./minutes-chart.tsx";
import { listsOf } from "./rows.ts";
import { t } from "./texts.ts";
import { useLive, useLiveFigures } from "./use-live.ts";
import styles from "./wall.module.css";

/** How long each site stands there, where they take turns. */
const turnMs = 20_000;

/** The live figures for a screen on the wall: full, dark, large, and the display stays awake. Escape leaves. */
export function Wall({ choice, onLeave }: { readonly choice: LiveChoice; readonly onLeave: () => void }) {
	const dialog = useRef<HTMLDialogElement>(null);
	const [turns, setTurns] = useState(false);
	const shown = useTurns(choice, turns);
	const sites = useSites(shown.site_id);
	const site = sites.find(({ id }) => id === shown.site_id);
	useFullScreen(dialog);
	useWakeLock();
	return (
		<dialog ref={dialog} aria-label={t.wallName(site?.name ?? "")} className={styles.wall} onClose={onLeave}>
			<header className={styles.head}>
				<Logo size={40} />
				<h2>{site?.name}</h2>
				<div className={styles.tools}>
					{sites.length > 1 && (
						<label>
							<input type="checkbox" checked={turns} onChange={(event) => setTurns(event.target.checked)} />
							{t.rotate}
						</label>
					)}
					<Button onClick={() => dialog.current?.close()}>{t.leaveWall}</Button>
				</div>
			</header>
			<Figures key={shown.site_id} choice={shown} />
		</dialog>
	);
}

function Figures({ choice }: { readonly choice: LiveChoice }) {
	const live = useLive(choice);
	const { data } = useLiveFigures(choice, live.words);
	if (data === undefined) return null;
	return (
		<>
			<div className={styles.pulse}>
				<p className={styles.now}>
					<strong>{count(live.active ?? data.now.active_visits)}</strong>
					{t.visitsNow}
				</p>
				<MinutesChart minutes={data.minutes} />
			</div>
			<div className={styles.lists}>
				{listsOf(data)
					.slice(0, 3)
					.map((list) => (
						<LiveList key={list.title} {...list} />
					))}
			</div>
		</>
	);
}

/** The site that is shown: with turns one after the other, beginning with the one of the screen. */
function useTurns(choice: LiveChoice, turns: boolean): LiveChoice {
	const sites = useSites(choice.site_id);
	const [at, setAt] = useState(0);
	// A clock is outside of React.
	useEffect(() => {
		if (!turns) return;
		const timer = setInterval(() => setAt((before) => before + 1), turnMs);
		return () => clearInterval(timer);
	}, [turns]);
	const first = sites.findIndex(({ id }) => id === choice.site_id);
	const next = sites[(first + at) % sites.length];
	// Filters and segments are those of one site.
	return next === undefined || next.id === choice.site_id ? choice : { site_id: next.id };
}

/** Full screen; leaving it with the browser's own key also leaves TV mode. */
function useFullScreen(dialog: { readonly current: HTMLDialogElement | null }): void {
	// The display is outside of React. Where it is refused, the wall fills the window.
	useEffect(() => {
		const element = dialog.current;
		element?.showModal();
		void element?.requestFullscreen?.().catch(() => undefined);
		const onChange = () => {
			if (document.fullscreenElement === null) element?.close();
		};
		document.addEventListener("fullscreenchange", onChange);
		return () => {
			document.removeEventListener("fullscreenchange", onChange);
			if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => undefined);
		};
	}, [dialog]);
}

/** Keeps the display awake; the browser lets go whenever the page is hidden. */
function useWakeLock(): void {
	// The display is outside of React.
	useEffect(() => {
		let held: WakeLockSentinel | undefined;
		let isOver = false;
		const hold = async () => {
			if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
			held = await navigator.wakeLock.request("screen").catch(() => undefined);
			if (isOver) void held?.release();
		};
		void hold();
		document.addEventListener("visibilitychange", hold);
		return () => {
			isOver = true;
			document.removeEventListener("visibilitychange", hold);
			void held?.release();
		};
	}, []);
}
