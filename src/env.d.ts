/** A font cut to the letters the site uses (see `server/build/subset-fonts.ts`). */
declare module '*.woff2?subset' {
  const url: string;
  export default url;
}
