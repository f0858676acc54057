import { Link, useRouter } from "@tanstack/react-router";
import { asFailure } from "../lib/failure.ts";
import { texts } from "../lib/language.ts";
import { Button } from "../ui/button/button.tsx";
import { Notice } from "../ui/page/notice.tsx";

const t = texts({
	en: {
		broken: "Something went wrong",
		again: "Try again",
		gone: "There is nothing here",
		text: "The address does not exist.",
		home: "To your sites",
	},
	es: {
		broken: "Algo salió mal",
		again: "Reintentar",
		gone: "Aquí no hay nada",
		text: "La dirección no existe.",
		home: "A tus sitios",
	},
});

/** Shown instead of a screen that failed. */
export function ErrorScreen({ error }: { readonly error: unknown }) {
	const router = useRouter();
	return (
		<Notice title={t.broken} text={asFailure(error).message}>
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
