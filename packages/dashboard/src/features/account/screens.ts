// One file for the browser: who opens one of them soon opens another.
export { AppsScreen } from "./apps-screen.tsx";
export { ProfileScreen } from "./profile-screen.tsx";
export { SecurityScreen } from "./security-screen.tsx";
export { TokensScreen } from "./tokens-screen.tsx";
