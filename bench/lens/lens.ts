// False alarms of insights on uneventful sites: `npm run bench:lens`.
import { printFalseAlarms } from "./false-alarms.ts";

printFalseAlarms([50, 500, 5000, 50_000]);
