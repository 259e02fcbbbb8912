; The installer of Windows: for one person, without an administrator. What was remembered is never touched.
; make_installer.py compiles it.

Unicode true
!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"

!ifndef VERSION | PAYLOAD | SEPARATOR | ICON | OUTPUT
  !error "make_installer.py gives all of these"
!endif
!define ABOUT "Software\Microsoft\Windows\CurrentVersion\Uninstall\BigMind"
!define LOGIN "Software\Microsoft\Windows\CurrentVersion\Run"

Name "BigMind"
OutFile "${OUTPUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\BigMind"
InstallDirRegKey HKCU "${ABOUT}" "InstallLocation"
SetCompressor /SOLID lzma
ShowInstDetails nevershow
ShowUninstDetails nevershow
BrandingText " "
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "BigMind"
VIAddVersionKey "FileDescription" "BigMind: one long-term memory for every AI assistant"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Apache-2.0"

; The step of the release that signs: without keys it says that it did not.
!ifdef SIGN
  !finalize '${SIGN} "%1"' = 0
  !uninstfinalize '${SIGN} "%1"' = 0
!endif

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\bigmind-app.exe"
!define MUI_FINISHPAGE_RUN_TEXT "Open BigMind"
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE RefuseFolderOfOthers
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; A running BigMind finishes what it writes and ends; files of a running program could not be replaced.
!macro EndRunning
  ${If} ${FileExists} "$INSTDIR\bigmind.exe"
    nsExec::Exec '"$INSTDIR\bigmind.exe" stop'
    Pop $0
  ${EndIf}
!macroend

; Removing BigMind takes `lib` and `licenses` along: a folder that has others of that name is not installed into. Asked when
; the page is left: `.onVerifyInstDir` can only gray out its button, and a person is to be told why. What an uninstall could not
; remove, as Windows held it, is refused too: from outside it looks like anybody's.
Function RefuseFolderOfOthers
  ${IfNot} ${FileExists} "$INSTDIR\bigmind.exe"
    ${If} ${FileExists} "$INSTDIR\lib\*.*"
    ${OrIf} ${FileExists} "$INSTDIR\licenses\*.*"
      MessageBox MB_OK|MB_ICONEXCLAMATION "BigMind cannot be installed in $INSTDIR: it has a folder named lib or licenses, and removing BigMind would delete that too.$\r$\n$\r$\nChoose another folder. If these are left over from an earlier BigMind, delete them (restart Windows if they are in use) and try again."
      Abort
    ${EndIf}
  ${EndIf}
FunctionEnd

Section "BigMind"
  !insertmacro EndRunning
  ; What an older version had and this one has not must not be loaded by it. Only where one is: whoever chooses a folder of
  ; their own may have a `lib` in it.
  ${If} ${FileExists} "$INSTDIR\bigmind.exe"
    RMDir /r "$INSTDIR\lib"
  ${EndIf}
  SetOutPath "$INSTDIR"
  File /r "${PAYLOAD}${SEPARATOR}*"
  CreateShortcut "$SMPROGRAMS\BigMind.lnk" "$INSTDIR\bigmind-app.exe"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "${ABOUT}" "DisplayName" "BigMind"
  WriteRegStr HKCU "${ABOUT}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${ABOUT}" "DisplayIcon" "$INSTDIR\bigmind-app.exe"
  WriteRegStr HKCU "${ABOUT}" "Publisher" "BigMind"
  WriteRegStr HKCU "${ABOUT}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${ABOUT}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${ABOUT}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${ABOUT}" "NoModify" 1
  WriteRegDWORD HKCU "${ABOUT}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${ABOUT}" "EstimatedSize" $0
SectionEnd

Section "Uninstall"
  !insertmacro EndRunning
  RMDir /r "$INSTDIR\lib"
  RMDir /r "$INSTDIR\licenses"
  Delete "$INSTDIR\bigmind.exe"
  Delete "$INSTDIR\bigmind-app.exe"
  Delete "$INSTDIR\bigmind.cdx.json"
  Delete "$INSTDIR\uninstall.exe"
  ; Only when it is empty: whoever put something there keeps it.
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\BigMind.lnk"
  DeleteRegValue HKCU "${LOGIN}" "BigMind"
  DeleteRegKey HKCU "${ABOUT}"
  IfSilent +2
    MessageBox MB_OK "BigMind is removed. What it remembers stays in $LOCALAPPDATA\BigMind."
SectionEnd
