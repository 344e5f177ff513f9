/** Draws the windows of a facade in rows and columns. */
function Windows(props: {
  x: number
  y: number
  columns: number
  rows: number
  stepX: number
  stepY: number
}) {
  const { x, y, columns, rows, stepX, stepY } = props
  return Array.from({ length: rows * columns }, (_, index) => {
    const row = Math.floor(index / columns)
    const column = index % columns
    // Lights the same windows every time, so that the drawing looks inhabited and never flickers.
    const isLit = (row * 7 + column * 5 + row * column) % 4 === 0
    return (
      <rect
        key={index}
        fill={isLit ? 'var(--building-lit)' : 'var(--building-glass)'}
        x={x + column * stepX}
        y={y + row * stepY}
        width={stepX - 7}
        height={stepY - 9}
        rx="1.5"
      />
    )
  })
}

/** Draws a tree on the ground; the middle of its crown is at `x`, and `size` units of the drawing above the ground. */
function Tree({ x, size }: { x: number; size: number }) {
  return (
    <g>
      <rect fill="var(--building-trunk)" x={x - 2} y={372 - size * 0.5} width="4" height={size * 0.5} />
      <ellipse fill="var(--building-leaves)" cx={x} cy={372 - size} rx={size * 0.42} ry={size * 0.62} />
      <ellipse
        fill="var(--building-leaves-light)"
        cx={x - size * 0.1}
        cy={372 - size * 1.08}
        rx={size * 0.24}
        ry={size * 0.38}
      />
    </g>
  )
}

/** Draws the surroundings of the building. They are visible only if the space is wider than the drawing. */
function Surroundings() {
  return (
    <>
      <rect fill="var(--building-sky)" x="-8000" width="12000" height="420" />
      <g fill="var(--building-clouds)" opacity="0.9">
        <path d="M-560 120h92a17 17 0 0 0 0-34 26 26 0 0 0-49-10 19 19 0 0 0-30 15 15 15 0 0 0-13 29Z" />
        <path d="M-1090 190h76a13 13 0 0 0 0-27 21 21 0 0 0-40-7 15 15 0 0 0-23 11 12 12 0 0 0-13 23Z" />
      </g>
      <path
        fill="var(--building-skyline)"
        d="M-1320 372v-30h50v-34h60v44h44v-78h56v50h48v-30h40v78Zm520 0v-64h46v-46h62v70h38v-94h50v62h44v-34h54v106Zm460 0v-86h52v34h40v-72h56v48h60v-30h52v30h80v76Z"
      />
      <path
        fill="var(--building-hill)"
        d="M-8000 372h5200c420-4 640-44 900-40s460 44 720 28 420-40 660-26 320 42 520 38c80-40 170-46 250-22s250 26 390-18c140-40 300-34 560 20h800v80H-8000Z"
      />
      <rect fill="var(--building-ground)" x="-8000" y="372" width="12000" height="48" />
      <Tree x={-70} size={44} />
      <Tree x={-118} size={30} />
      <Tree x={-420} size={38} />
      <Tree x={-690} size={46} />
      <Tree x={-742} size={32} />
      <Tree x={-1130} size={36} />
      <Tree x={700} size={40} />
      <Tree x={742} size={28} />
    </>
  )
}

/**
 * Draws an office building by day or, in the dark theme, by night (rules/home#right-panel).
 * @param label name of the drawing for screen readers
 */
export function Building({ label }: { label: string }) {
  return (
    <svg
      width="100%"
      height="100%"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="img"
      aria-label={label}
      viewBox="0 0 640 420"
      preserveAspectRatio="xMidYMax slice"
    >
      <Surroundings />
      <circle fill="var(--building-halo)" opacity="0.7" cx="504" cy="92" r="62" />
      <circle fill="var(--building-sun)" cx="504" cy="92" r="34" />
      <g fill="var(--building-clouds)" opacity="0.9">
        <path d="M-12 96h92a17 17 0 0 0 0-34 26 26 0 0 0-49-10 19 19 0 0 0-30 15 15 15 0 0 0-13 29Z" />
        <path d="M430 168h76a13 13 0 0 0 0-27 21 21 0 0 0-40-7 15 15 0 0 0-23 11 12 12 0 0 0-13 23Z" />
      </g>
      <path
        fill="var(--building-skyline)"
        d="M0 372V262h44v-34h38v58h34v-84h46v170Zm470 0V236h40v-40h52v76h34v-30h44v130Z"
      />
      <path fill="var(--building-hill)" d="M0 372c80-40 170-46 250-22s250 26 390-18v60H0Z" />

      <rect fill="var(--building-wing)" x="142" y="196" width="124" height="176" />
      <Windows x={154} y={210} columns={4} rows={5} stepX={27} stepY={31} />
      <rect fill="var(--building-wing)" x="394" y="232" width="112" height="140" />
      <Windows x={406} y={246} columns={4} rows={4} stepX={24} stepY={31} />

      <path fill="var(--building-tower)" d="M248 372V82l82-26 82 26v290Z" />
      <path fill="var(--building-shade)" d="M330 56l82 26v290h-82Z" />
      <Windows x={262} y={104} columns={5} rows={8} stepX={28.6} stepY={29} />
      <rect fill="var(--accent-fill)" x="314" y="70" width="32" height="20" rx="4" />
      <path
        d="M320 85v-9l5 5 5-5 5 5 5-5v9"
        fill="none"
        stroke="var(--on-fill)"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />

      <rect fill="var(--building-lobby)" x="248" y="338" width="164" height="34" />
      <rect fill="var(--accent-fill)" x="292" y="330" width="76" height="7" rx="2" />
      <path fill="var(--building-door)" d="M302 340h26v32h-26Zm30 0h26v32h-26Z" />
      <rect fill="var(--building-ground)" y="372" width="640" height="48" />
      <path fill="var(--building-path)" d="M296 372h68l26 48H270Z" />
      <Tree x={64} size={46} />
      <Tree x={108} size={34} />
      <Tree x={208} size={28} />
      <Tree x={452} size={30} />
      <Tree x={548} size={48} />
      <Tree x={594} size={36} />
    </svg>
  )
}
