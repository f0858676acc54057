import { Link, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { asFailure } from "../lib/failure.ts";
import { texts } from "../lib/language.ts";
import { Button } from "../ui/button/button.tsx";
import { failureText } from "../ui/page/failure-text.ts";
import { Notice } from "../ui/page/notice.tsx";

const t = texts({
	en: {
		broken: "Something went wrong",
		again: "Try again",
		away: "The server does not answer",
		awayText: "It may be starting anew. This page tries again by itself every few seconds.",
		gone: "There is nothing here",
		text: "The address does not exist.",
		home: "To your sites",
	},
	es: {
		broken: "Algo salió mal",
		again: "Reintentar",
		away: "El servidor no responde",
		awayText: "Puede que esté reiniciándose. Esta página lo intenta sola cada pocos segundos.",
		gone: "Aquí no hay nada",
		text: "La dirección no existe.",
		home: "A tus sitios",
	},
});

const everyMs = 4_000;

/** Shown instead of a screen that failed; where nobody answered it tries again by itself. */
export function ErrorScreen({ error }: { readonly error: unknown }) {
	const router = useRouter();
	const failure = asFailure(error);
	const isAway = failure.code === "offline";
	// A clock is outside of React.
	useEffect(() => {
		if (!isAway) return;
		const timer = setInterval(() => void router.invalidate(), everyMs);
		return () => clearInterval(timer);
	}, [isAway, router]);
	// What this page itself did wrong has no words of the server.
	const words = failure.status === 0 ? failure.message : failureText(failure);
	return (
		<Notice title={isAway ? t.away : t.broken} text={isAway ? t.awayText : words}>
			<Button look="primary" onClick={() => void router.invalidate()}>
				{t.again}
			</Button>
		</Notice>
	);
}

/** Shown at an address that nothing answers. */
export const NotFoundScreen = () => (
	<Notice title={t.gone} text={t.text}>
		<Link to="/">{t.home}</Link>
	</Notice>
);

/** Shown while a screen is on its way: nothing, as it is there in a moment. */
export const PendingScreen = () => null;
