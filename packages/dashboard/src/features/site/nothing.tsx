import { Link } from "@tanstack/react-router";
import { texts } from "../../lib/language.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { changed, useChangeSearch, useSiteSearch } from "./search.ts";

const t = texts({
	en: { filtered: "No results for these filters.", clear: "Clear filters", longer: "Last 12 months" },
	es: { filtered: "No hay resultados para estos filtros.", clear: "Quitar filtros", longer: "Últimos 12 meses" },
});

/** Why there is nothing, and one thing to do about it. */
export function Nothing({ text }: { readonly text: string }) {
	const search = useSiteSearch();
	const change = useChangeSearch();
	if (search.f.length > 0 || search.segment !== undefined) {
		return (
			<>
				<p>{t.filtered}</p>
				<Button small onClick={() => change({ f: [], segment: undefined })}>
					{t.clear}
				</Button>
			</>
		);
	}
	return (
		<>
			<p>{text}</p>
			{search.period !== "12m" && search.period !== "all" && (
				<Link
					to="."
					search={changed(search, { period: "12m", from: undefined, to: undefined })}
					className={buttonClass("plain", true)}
				>
					{t.longer}
				</Link>
			)}
		</>
	);
}
