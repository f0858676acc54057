import { Link } from "@tanstack/react-router";
import { isShared } from "../../api/shared.ts";
import { texts } from "../../lib/language.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { Nothing, useSite } from "../site/index.ts";
import { useStatus } from "./use-status.ts";

const t = texts({
	en: { never: "No visit has arrived yet.", install: "Install the script", period: "Nothing in this period." },
	es: { never: "Aún no ha llegado ninguna visita.", install: "Instalar el script", period: "Nada en este periodo." },
});

interface NothingHereProps {
	readonly reason?: string | undefined;
}

/** Why there is nothing, and what to do about it; `reason` where it is not the period's fault. */
export const NothingHere = ({ reason = t.period }: NothingHereProps) =>
	isShared ? <Nothing text={reason} /> : <NothingYet reason={reason} />;

function NothingYet({ reason }: { readonly reason: string }) {
	const site = useSite();
	const status = useStatus(site.id);
	if (status.data?.installed !== false) return <Nothing text={reason} />;
	return (
		<>
			<p>{t.never}</p>
			<Link to="/sites/$id/settings/install" params={{ id: site.id }} className={buttonClass("plain", true)}>
				{t.install}
			</Link>
		</>
	);
}
