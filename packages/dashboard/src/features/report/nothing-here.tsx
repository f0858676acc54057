import { Link } from "@tanstack/react-router";
import { isShared } from "../../api/shared.ts";
import { texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { Nothing, useSite } from "../site/index.ts";
import { useStatus } from "./use-overview.ts";

const FirstSnippet = lazily(async () => ({ default: (await import("../install/index.ts")).FirstSnippet }));

const t = texts({
	en: {
		never: "No visits yet. Paste this code into the <head> of every page.",
		notYet: "No data yet.",
		install: "Check the installation",
		period: "No data in this period.",
	},
	es: {
		never: "Aún no hay visitas. Pega este código en el <head> de cada página.",
		notYet: "Aún no hay datos.",
		install: "Comprobar la instalación",
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
			<FirstSnippet site={site} />
			<Link to="/sites/$id/settings/install" params={{ id: site.id }} className={buttonClass("plain", true)}>
				{t.install}
			</Link>
		</>
	);
}
