// Package widget has what pages are made of: fields, texts, pagers, tables, matrices and logs.
//
// A column is one line in the Columns of a [Table]: title, smallest useful width, text, rank. In a
// narrow table the columns of the highest rank are hidden first; rank 0 is never hidden. A wider
// window never shows less of any column.
//
// The list, the table and the text area are our own: Bubbles draws every row to find its height,
// hides no column by importance, folds nothing, and loses the cursor's row when rows change. Ours
// draw the visible rows of a hundred thousand. The text area of Bubbles ends at ten thousand lines
// and draws them all at each key. The filter is ours too: sahilm/fuzzy finds letters however far
// apart, which is right for ranking and wrong for hiding.
package widget
