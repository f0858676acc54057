import { Link, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { asFailure } from "../lib/failure.ts";
import { isAnswering } from "../lib/is-answering.ts";
import { texts } from "../lib/language.ts";
import { Button } from "../ui/button/button.tsx";
import { failureText } from "../ui/page/failure-text.ts";
import { Notice } from "../ui/page/notice.tsx";

const t = texts({
	en: {
		broken: "Something went wrong",
		again: "Try again",
		away: "The server isn't responding",
		gone: "Page not found",
		text: "This address doesn't exist.",
		home: "Go to your sites",
	},
	es: {
		broken: "Algo falló",
		again: "Reintentar",
		away: "El servidor no responde",
		gone: "Página no encontrada",
		text: "Esta dirección no existe.",
		home: "Ir a tus sitios",
	},
});

const everyMs = 4_000;

/** Shown instead of a screen that failed; where the service did not answer it retries automatically. */
export function ErrorScreen({ error }: { readonly error: unknown }) {
	const router = useRouter();
	const failure = asFailure(error);
	const isOffline = failure.code === "offline";
	// The page itself failed: perhaps a part of it could not be loaded, which no second try of the router brings back.
	const isOwn = failure.status === 0 && !isOffline;
	const [isAway, setIsAway] = useState(isOffline);
	const tryAgain = () => (isOwn ? location.reload() : void router.invalidate());
	// Server and clock are outside of React.
	useEffect(() => {
		const look = async () => {
			if (!(await isAnswering())) setIsAway(true);
			else if (isAway) tryAgain();
		};
		if (isOwn) void look();
		const timer = setInterval(look, everyMs);
		return () => clearInterval(timer);
	});
	const told = isAway ? { code: "service_unavailable", message: "" } : failure;
	return (
		// A fault of the page itself has no message for users.
		<Notice title={isAway ? t.away : t.broken} text={isOwn && !isAway ? "" : failureText(told)}>
			<Button look="primary" onClick={tryAgain}>
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
