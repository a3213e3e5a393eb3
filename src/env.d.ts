/** Addresses of fonts cut to what the site shows (see `server/build/subset-fonts.ts`). */
declare module '*.woff2?subset&weights=700-800' {
  const url: string;
  export default url;
}
declare module '*.woff2?subset&weights=400-700&typed' {
  const url: string;
  export default url;
}
