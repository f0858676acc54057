import { Link } from "@tanstack/react-router";
import { isShared } from "../../api/shared.ts";
import { texts } from "../../lib/language.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { Nothing, useSite } from "../site/index.ts";
import { useStatus } from "./use-status.ts";

const t = texts({
	en: {
		never: "No visits yet.",
		notYet: "No data yet.",
		install: "Install the script",
		period: "No data in this period.",
	},
	es: {
		never: "Aún no hay visitas.",
		notYet: "Aún no hay datos.",
		install: "Instalar el script",
		period: "No hay datos en este periodo.",
	},
});

interface NothingHereProps {
	/** Where it is not the period's fault. */
	readonly reason?: string | undefined;
	/** True for the one part of the screen that leads to the installation. */
	readonly isFirst?: boolean;
}

/** Reason for an empty report and the next step. */
export const NothingHere = ({ reason = t.period, isFirst = false }: NothingHereProps) =>
	isShared ? <Nothing text={reason} /> : <NothingYet reason={reason} isFirst={isFirst} />;

function NothingYet({ reason, isFirst }: Required<Pick<NothingHereProps, "isFirst">> & { readonly reason: string }) {
	const site = useSite();
	const status = useStatus(site.id);
	if (status.data?.installed !== false) return <Nothing text={reason} />;
	if (!isFirst) return <p>{t.notYet}</p>;
	return (
		<>
			<p>{t.never}</p>
			<Link to="/sites/$id/settings/install" params={{ id: site.id }} className={buttonClass("plain", true)}>
				{t.install}
			</Link>
		</>
	);
}
