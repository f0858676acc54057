import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/read.ts";
import { Field } from "../../ui/field/field.tsx";

interface ZoneFieldProps {
	readonly label: string;
	readonly hint: string | undefined;
	readonly defaultValue: string;
}

/** The field `timezone`, with all zones to choose from. */
export function ZoneField(props: ZoneFieldProps) {
	const { data: zones } = useQuery(zonesQuery);
	return (
		<div>
			<Field {...props} name="timezone" list="zones" autoComplete="off" spellCheck={false} required />
			<datalist id="zones">
				{zones?.timezones.map(({ timezone, country_name: country }) => (
					<option key={timezone} value={timezone} label={country} />
				))}
			</datalist>
		</div>
	);
}

const zonesQuery = { ...read("GET /sites/config/timezones"), staleTime: Number.POSITIVE_INFINITY };
